import type { Node } from './graph.ts'
import { stableText } from '../model/text.ts'

/** The states that most model states belong to, what varies in their context, and what to do about it. */
export function growing(nodes: readonly Node[]): string {
  const groups = Map.groupBy(nodes, ({ state }) => state)
  const worst = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, 3)
  const lines = worst.map(([state, group]) => {
    const fields = varying(group)
      .slice(0, 4)
      .map(({ name, count }) => `${name} (${count} values)`)
      .join(', ')
    return `  ${state}: ${group.length} model states${fields === '' ? '' : `; context that varies: ${fields}`}; keys like ${group
      .slice(-2)
      .map(({ key }) => JSON.stringify(key.slice(0, 200)))
      .join(', ')}`
  })
  const [most] = varying(nodes)
  return [
    ...lines,
    ...(most === undefined
      ? []
      : [
          `  Leave it out (ignore: ['${most.name}']), set bounds ({ when: ({ context }) => … }), or give a key.`,
        ]),
  ].join('\n')
}

function varying(nodes: readonly Node[]): { name: string; count: number }[] {
  const values = new Map<string, Set<string>>()
  for (const { snapshot } of nodes)
    for (const [name, value] of Object.entries(
      (snapshot.context ?? {}) as Record<string, unknown>,
    )) {
      const known = values.get(name) ?? new Set()
      known.add(stableText(value))
      values.set(name, known)
    }
  return [...values]
    .map(([name, { size }]) => ({ name, count: size }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count)
}
