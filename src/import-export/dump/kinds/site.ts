// Dump lines for the settings of sites. The bytes of a logo follow its setting.

import sql from 'sql-template-tag';
import { InvalidValue } from '../../../common/fields.ts';
import { select } from '../../../database/query.ts';
import { siteSettingTable } from '../../../database/schema.ts';
import { type SettingName, siteFields } from '../../../gallery/site/fields.ts';
import { type SiteLine, siteLine } from '../../../gallery/site/site-line.ts';
import { keepLast, type LineKind } from '../kind.ts';

const columns = {
  ...siteSettingTable.columns,
  name: siteSettingTable.columns.name.narrow<SettingName>(),
};
const allSettings = select(columns, sql`from site_setting order by host, name`);

export const siteKind: LineKind<SiteLine> = {
  format: siteLine,
  exporter: {
    count: sql`select count(*) from site_setting`,
    async *exportLines(reader, exportFile) {
      for (const row of await reader.all(allSettings)) {
        yield [siteLine.stringify(row)];
        if (row.name !== 'logo') continue;
        for await (const line of exportFile(siteFields.logo.read(row.value))) yield [line];
      }
    },
  },

  async importBatch(context, batch) {
    for (const { lineNumber, entry } of batch) {
      const { name, value } = entry;
      try {
        siteFields[name].read(value);
        if (name === 'logo') context.files.expect(lineNumber, siteFields.logo.read(value));
      } catch (error) {
        if (error instanceof InvalidValue) context.refuse(lineNumber, `value: ${error.message}`);
        throw error;
      }
    }
    const rows = keepLast(batch, ({ host, name }) => `${host} ${name}`);
    await context.transaction.upsert(siteSettingTable, rows);
  },

  describeChange: () => ({ subject: 0 }),
};
