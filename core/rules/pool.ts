/** Numbers by name, returned in the order in which they were added, as long as they are free. */
export class Pool {
  private readonly queues = new Map<string, { readonly members: number[]; next: number }>();

  constructor(private readonly free: ReadonlySet<number>) {}

  add(name: string, member: number): void {
    const queue = this.queues.get(name);
    if (queue === undefined) this.queues.set(name, { members: [member], next: 0 });
    else queue.members.push(member);
  }

  /** The first free member of that name. Members that are no longer free are skipped permanently. */
  first(name: string): number | undefined {
    const queue = this.queues.get(name);
    if (queue === undefined) return undefined;
    for (; queue.next < queue.members.length; queue.next += 1) {
      const member = queue.members[queue.next];
      if (member !== undefined && this.free.has(member)) return member;
    }
    return undefined;
  }
}
