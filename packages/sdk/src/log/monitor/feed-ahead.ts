/** Records of a feed, read ahead a page at a time. */
export class FeedAhead<Item extends { id: number }> {
  private page: Item[] = [];

  constructor(private readonly read: (after: number) => Promise<Item[]>) {}

  /** The record of this number, or null if the feed does not have it. */
  async take(id: number): Promise<Item | null> {
    if (!this.page.some((item) => item.id === id)) this.page = await this.read(id - 1);
    return this.page.find((item) => item.id === id) ?? null;
  }
}
