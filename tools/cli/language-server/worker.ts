import { answerChecks } from "./checks.js";

answerChecks();
