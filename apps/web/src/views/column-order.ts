import type { EntityConfig, Field } from '@jiaowu/api'

/** Fields a list can show, in the definition's order. */
export const listColumns = ({ fields }: Pick<EntityConfig, 'fields'>): readonly Field[] =>
  fields.filter((field) => field.isList === 1)

const sides = { left: 0, none: 1, right: 2 } as const
const sideOf = ({ options }: Field): number => sides[options.column?.fixed ?? 'none']
/** Columns that stick to a side stay there, in whatever order they are put. */
const bySide = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((a, b) => sideOf(a) - sideOf(b))

/** The fields a list shows, from left to right; null: all of them. */
export const shownColumns = (
  config: Pick<EntityConfig, 'fields'>,
  columns: readonly string[] | null,
): readonly Field[] => {
  const all = listColumns(config)
  return bySide(
    columns === null
      ? all
      : columns.flatMap((name) => all.find(({ attrName }) => attrName === name) ?? []),
  )
}
/** All of them: those shown as they stand, the rest where the definition has them last. */
export const orderedColumns = (
  config: Pick<EntityConfig, 'fields'>,
  columns: readonly string[] | null,
): readonly Field[] => {
  const shown = shownColumns(config, columns)
  return bySide([...shown, ...listColumns(config).filter((field) => !shown.includes(field))])
}
export const moved = (fields: readonly Field[], from: number, to: number): readonly Field[] => {
  const next = [...fields]
  const [taken] = next.splice(from, 1)
  if (taken !== undefined) next.splice(to, 0, taken)
  return bySide(next)
}
/** What to keep of a choice: nothing, when it is what the definition says. */
export const chosenColumns = (
  config: Pick<EntityConfig, 'fields'>,
  order: readonly Field[],
  shown: ReadonlySet<string>,
): readonly string[] | null => {
  const names = order.map(({ attrName }) => attrName).filter((name) => shown.has(name))
  return names.join() ===
    bySide(listColumns(config))
      .map(({ attrName }) => attrName)
      .join()
    ? null
    : names
}
