import { render } from "preact";
import "./style.css";
import { token } from "./api";
import { Shell } from "./shell";

// A link of `omoide view` carries the token behind the #, which never reaches a server or a log.
const given = /^#token=([^&]+)/.exec(location.hash)?.[1];
if (given) {
  token.set(decodeURIComponent(given));
  history.replaceState(null, "", "#/memories");
}
render(<Shell />, document.getElementById("page")!);
