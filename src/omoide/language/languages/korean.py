"""Korean as data. Only small talk so far: questions in Korean are read like those of an unknown language."""

from __future__ import annotations

from omoide.language.registry import Language

LANGUAGE = Language(
    name="Korean",
    order=9,
    spaced=False,  # particles are attached to the words
    keep_requests="기억해|적어 ?(?:둬|줘|놔)|메모해|잊지 ?마|저장해|간직해",
    fillers="안녕하세요|감사합니다|네",
    yes_no="네|아니요",
    first_person="나는",
)
