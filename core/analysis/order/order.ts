/**
 * How a later form of something compares with an earlier one: whether it stops the same requests, more or fewer of them, or in a
 * stricter or weaker way. `mixed`: some of each, or not enough is known about it.
 */
export type Order = "same" | "stricter" | "looser" | "mixed";

/** The order of something with several parts. */
export function joinOrders(orders: Iterable<Order>): Order {
  let joined: Order = "same";
  for (const order of orders) {
    if (order === "same" || order === joined) continue;
    if (joined !== "same") return "mixed";
    joined = order;
  }
  return joined;
}

/** More is stricter. */
export function orderOf(before: number, after: number): Order {
  return after > before ? "stricter" : after < before ? "looser" : "same";
}

/** Whether nothing got looser. */
export function isAtLeastAsStrict(order: Order): boolean {
  return order === "same" || order === "stricter";
}
