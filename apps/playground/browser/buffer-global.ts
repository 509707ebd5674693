export { Buffer } from "./bytes.js";
