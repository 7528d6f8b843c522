import type { EntityConfig, Field } from '@jiaowu/api/entity/config'

/** Fields a list can show, in the definition's order. */
function listColumns({ fields }: Pick<EntityConfig, 'fields'>): readonly Field[] {
  return fields.filter((field) => field.isList === 1)
}

const sides = { left: 0, none: 1, right: 2 } as const
const findSide = ({ options }: Field): number => sides[options.column?.fixed ?? 'none']

/** The fields a list shows, from left to right; null: all of them. */
export function shownColumns(
  config: Pick<EntityConfig, 'fields'>,
  columns: readonly string[] | null,
): readonly Field[] {
  const all = listColumns(config)
  return bySide(
    columns === null
      ? all
      : columns.flatMap((name) => all.find(({ attrName }) => attrName === name) ?? []),
  )
}

/** Pinned columns keep their side in any order. */
function bySide(fields: readonly Field[]): readonly Field[] {
  return fields.toSorted((a, b) => findSide(a) - findSide(b))
}

/** All columns: the shown ones in their order, then the hidden ones in the definition's order. */
export function orderedColumns(
  config: Pick<EntityConfig, 'fields'>,
  columns: readonly string[] | null,
): readonly Field[] {
  const shown = shownColumns(config, columns)
  return bySide([...shown, ...listColumns(config).filter((field) => !shown.includes(field))])
}

export function moveField(fields: readonly Field[], from: number, to: number): readonly Field[] {
  const next = [...fields]
  const [taken] = next.splice(from, 1)
  if (taken !== undefined) next.splice(to, 0, taken)
  return bySide(next)
}

/** The choice to store; null when it equals the definition. */
export function chosenColumns(
  config: Pick<EntityConfig, 'fields'>,
  order: readonly Field[],
  shown: ReadonlySet<string>,
): readonly string[] | null {
  const names = order.map(({ attrName }) => attrName).filter((name) => shown.has(name))
  return names.join() ===
    bySide(listColumns(config))
      .map(({ attrName }) => attrName)
      .join()
    ? null
    : names
}
