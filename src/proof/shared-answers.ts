/**
 * Lets callers who ask the same at the same time share one answer. Nothing is kept beyond that: whoever asks while a
 * question is under way gets the answer of the next one, so no answer is older than its question, and of any number of
 * callers at most two questions run.
 */
export class SharedAnswers<Answer> {
  private readonly running = new Map<string, Promise<Answer>>();
  private readonly following = new Map<string, Promise<Answer>>();

  /** What `ask` answers, or what it answered somebody who asks for `key` at the same time. Rejects as `ask` does. */
  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const joined = this.following.get(key);
    if (joined) return joined;
    const current = this.running.get(key);
    if (!current) return this.start(key, ask);
    const next = current
      .catch(() => {})
      .then(() => {
        this.following.delete(key);
        return this.start(key, ask);
      });
    this.following.set(key, next);
    return next;
  }

  private start(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask().finally(() => this.running.delete(key));
    this.running.set(key, answer);
    return answer;
  }
}
