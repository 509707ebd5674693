/** Says that there is no answer, because something could not be read: the exit code is 3. */
export class NoAnswer extends Error {}
