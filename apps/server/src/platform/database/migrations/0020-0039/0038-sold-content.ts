import type { Migration } from '../migrate.ts'
import { run, schoolTable } from '../columns.ts'

/**
 * The content of a document as it was when its order was made, by the id of the order. It leaves with the claim
 * of the document, which keeps it from then on. `reported_at` of a refund: when the staff were told that the
 * provider refuses it.
 */
export const soldContentMigration: Migration = {
  name: '0038-sold-content',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.order_content',
        'id',
        'id bigint not null, content jsonb not null, create_time timestamptz not null',
      ),
      `alter table sys.refund add column reported_at timestamptz`,
    ]),
}
