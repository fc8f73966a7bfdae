/** A success that has nothing to tell: `{}`. */
export class EmptyAnswer {}
