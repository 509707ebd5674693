import { EmulatorPage } from "./emulator-page.js";

// The page that the emulator serves under /__emulator/.
const page = new EmulatorPage(new URL("worker.js", import.meta.url));
document.querySelector("[data-emulator]")?.replaceChildren(page.element);
void page.start();
