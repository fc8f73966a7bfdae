/** Room in a document of the build, in web/index.html: `<!--slot NAME-->what stands there otherwise<!--end-->`. */
const SLOT = /<!--slot ([a-z-]+)-->(.*?)<!--end-->/gs;

export class Template<Name extends string> {
  /** @param parts in turns: text, the name of a slot, and what stands in that */
  private constructor(private readonly parts: readonly string[]) {}

  /** @throws Error if the document has not exactly these slots, as that of another build */
  static parse<Name extends string>(document: string, names: readonly Name[]): Template<Name> {
    const parts = document.split(SLOT);
    const found = parts.filter((_, index) => index % 3 === 1);
    if (found.toSorted().join() !== names.toSorted().join()) {
      throw new Error(
        `The document has the slots ${found.join(', ')} in place of ${names.join(', ')}: build it again.`,
      );
    }
    return new Template(parts);
  }

  /** A copy with other contents in some of the slots; they are markup, and are not escaped here. */
  fill(contents: Partial<Record<Name, string>>): Template<Name> {
    const contentAt = (index: number) => contents[this.parts[index - 1] as Name];
    return new Template(this.parts.map((part, index) => (index % 3 === 2 ? (contentAt(index) ?? part) : part)));
  }

  /** The document, without the marks of its slots. */
  toString(): string {
    return this.parts.filter((_, index) => index % 3 !== 1).join('');
  }
}
