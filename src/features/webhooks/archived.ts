import { execute, type Transaction } from '#sql';

/** Webhooks that are switched off would begin with changes that are gone. */
export async function forgetArchived(transaction: Transaction, last: number): Promise<void> {
  await execute(transaction)`update webhook set position = ${last} where position < ${last}`;
  await execute(transaction)`delete from webhook_redelivery where last > 0 and after < ${last}`;
}
