/** A success without content: `{}`. */
export class EmptyAnswer {}
