import { coverTransitions, toMermaid } from '@jiaowu/path-tests'
import { explore } from '../../machines/spec.ts'
import { type MachineName, models } from '../../machines/registry.ts'

const glyphs = { user: '👆', settle: '⇄', child: '▸', time: '⏱' } as const
/** Converts a machine's name to its file name. */
export function documentName(machine: MachineName): string {
  return `${machine.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`
}

/**
 * The page of a machine: its diagram, and per concern the fewest paths that take every transition.
 */
export function machineDocument(name: MachineName): string {
  const { parts, rules, limit = 600 } = models[name]
  const [first] = Object.values(parts)
  if (first === undefined) throw new Error(`${name} has no model`)
  const promises = rules.map((rule) => `- ${rule.name}`)
  const concerns = Object.entries(parts).flatMap(([part, spec]) => {
    const graph = explore(spec, limit)
    const { paths } = coverTransitions(graph)
    const lists = paths.flatMap(({ start, steps }, index) => [
      `**${part} ${index + 1}**${start === 'start' ? '' : `, starts with ${start}`}`,
      '',
      ...(steps.length === 0 ? ['Nothing but its start.'] : []),
      ...steps.map(({ step }, at) => `${at + 1}. ${glyphs[step.kind]} ${step.label}`),
      '',
    ])
    return [
      `## ${part}`,
      '',
      `${graph.nodes.length} states, ${graph.edges.length} edges.`,
      '',
      ...lists,
    ]
  })
  return [
    `# ${name}`,
    '',
    'Made from the machine by `node tests/paths/documents/write-documents.ts`; a test fails when it is stale. 👆 a person does it, ⇄ a call ends so, ⏱ time passes.',
    '',
    '```mermaid',
    toMermaid(first.machine).trimEnd(),
    '```',
    '',
    '## Promises',
    '',
    ...promises,
    '',
    ...concerns,
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}
