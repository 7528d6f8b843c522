// Statements that are built and compiled once and then sent with different values.
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely'

/** Stands in a statement for a value that each run brings. */
export class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export type StatementTemplate<Row> = (values: ReadonlyMap<Slot, unknown>) => CompiledQuery<Row>

export function createStatementTemplate<Row, Tables>(
  db: Kysely<Tables>,
  statement: RawBuilder<Row>,
): StatementTemplate<Row> {
  const { sql, parameters } = statement.compile(db)
  return (values) =>
    CompiledQuery.raw(
      sql,
      parameters.map((value) => (value instanceof Slot ? findSlotValue(values, value) : value)),
    ) as CompiledQuery<Row>
}

function findSlotValue(values: ReadonlyMap<Slot, unknown>, slot: Slot): unknown {
  if (!values.has(slot)) throw new Error(`the statement needs a value for ${slot.name}`)
  return values.get(slot)
}
