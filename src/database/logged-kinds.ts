import { apiKeyTable, nameReportTable, passkeyTable, reportTable, webhookTable } from './schema.ts';

/**
 * The kinds of the changes of tables whose rows are deleted, by the table's name: only the change log keeps the ids of
 * those rows, which are not used again.
 */
export const loggedKinds: ReadonlyMap<string, string> = new Map([
  [apiKeyTable.name, 'key'],
  [passkeyTable.name, 'passkey'],
  [reportTable.name, 'report'],
  [nameReportTable.name, 'name_report'],
  [webhookTable.name, 'webhook'],
]);
