# Serves one memory over HTTP, a folder of spaces, or as a member of a fleet (deploy/fleet/compose.yml). What it keeps
# lies in the volume /data; the server runs as a user without rights.
#
#   docker build -t omoide .
#   docker run -p 127.0.0.1:8378:8378 -v omoide:/data -e OMOIDE_TOKEN=… omoide
#
# Without OMOIDE_TOKEN a token is generated and printed. Behind a proxy add `--allow-host NAME`.
FROM python:3.12-slim AS build
COPY . /source
RUN python -m venv /omoide \
    && /omoide/bin/pip install --no-cache-dir /source/models/minilm "/source[minilm,mcp,http,fleet]"

FROM python:3.12-slim
COPY --from=build /omoide /omoide
RUN useradd --system --uid 10001 --home-dir /data omoide && mkdir /data && chown omoide /data
USER 10001
VOLUME /data
ENV PATH=/omoide/bin:$PATH OMOIDE_DB=/data/memory.db PYTHONUNBUFFERED=1
EXPOSE 8378
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8378/health', timeout=4)"]
ENTRYPOINT ["omoide"]
CMD ["serve", "--host", "0.0.0.0"]
