import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { shortEvent } from './short-event.ts'
const clean = (text: string): string => text.replaceAll(/[\n;#]/g, ' ').replaceAll(':', '∶')

/** The machine as a Mermaid `stateDiagram-v2`, deterministic, so that a test can compare a committed diagram. */
export function toMermaid(machine: AnyStateMachine): string {
  const root = machine.root as AnyStateNode
  // Mermaid allows parallel regions only inside a state.
  const body =
    root.type === 'parallel'
      ? [`  state "${machine.id}" as ${toMermaidId(root)} {`, ...inside(root, '    '), '  }']
      : inside(root, '  ')
  return [
    'stateDiagram-v2',
    ...body,
    ...listDiagramNodes(root)
      .flatMap(arrows)
      .map((line) => `  ${line}`),
    '',
  ].join('\n')
}

function toMermaidId(node: AnyStateNode): string {
  return node.path.length === 0 ? 'root' : node.path.join('__').replaceAll(/\W/g, '_')
}

function inside(node: AnyStateNode, indent: string): string[] {
  const children = Object.values(node.states as Record<string, AnyStateNode>)
  const initial = (node.initial?.target as readonly AnyStateNode[] | undefined)?.[0]
  const drawn = children.map((child) => draw(child, indent))
  const body =
    node.type === 'parallel'
      ? drawn.flatMap((lines, index) => (index === 0 ? lines : [`${indent}--`, ...lines]))
      : drawn.flat()
  return [
    ...(needsAny(node) ? [`${indent}state "any of ${node.key}" as ${toMermaidId(node)}__any`] : []),
    ...(node.type !== 'parallel' && initial !== undefined
      ? [`${indent}[*] --> ${toMermaidId(initial)}`]
      : []),
    ...body,
  ]
}

function draw(node: AnyStateNode, indent: string): string[] {
  const name = `${indent}state "${node.key}" as ${toMermaidId(node)}`
  const lines = facts(node).map((fact) => `${indent}${fact}`)
  // The description of a composite state would replace its name, so it is drawn as a note.
  if (Object.keys(node.states).length > 0) {
    const note = facts(node)
      .map((fact) => fact.slice(fact.indexOf(': ') + 2))
      .join(' · ')
    return [
      `${name} {`,
      ...inside(node, `${indent}  `),
      `${indent}}`,
      ...(note === '' ? [] : [`${indent}note right of ${toMermaidId(node)}: ${note}`]),
    ]
  }
  return [
    name,
    ...lines,
    ...(node.type === 'final' ? [`${indent}${toMermaidId(node)} --> [*]`] : []),
  ]
}

function facts(node: AnyStateNode): string[] {
  const config = node.config as { entry?: unknown; exit?: unknown; invoke?: unknown }
  return [
    ...node.tags.map((tag) => `tag ${tag}`),
    ...asList(config.entry).map((action) => `entry / ${formatPartName(action)}`),
    ...asList(config.exit).map((action) => `exit / ${formatPartName(action)}`),
    ...asList(config.invoke).map((each) => `⇄ ${formatPartName((each as { src: unknown }).src)}`),
  ].map((fact) => `${toMermaidId(node)}: ${clean(fact)}`)
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

function formatPartName(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part === 'function' && !('check' in part) && !('resolve' in part))
    return part.name === '' ? 'inline' : part.name
  return typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    typeof part.type === 'string'
    ? part.type
    : typeof part === 'function' && 'type' in part && typeof part.type === 'string'
      ? part.type.replace('xstate.', '')
      : 'inline'
}

/** A composite state cannot have an arrow into itself: such arrows start at a small state "any" inside it. */
function needsAny(node: AnyStateNode): boolean {
  return (
    Object.keys(node.states).length > 0 &&
    listBranches(node).some(
      ({ target }) =>
        target === undefined || target.some((each: AnyStateNode) => below(each, node)),
    )
  )
}

function listBranches(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...node.transitions.values(), node.always ?? []].flat()
}

function below(node: AnyStateNode, ancestor: AnyStateNode): boolean {
  return (
    node === ancestor || (node.parent !== undefined && below(node.parent as AnyStateNode, ancestor))
  )
}

function listDiagramNodes(node: AnyStateNode): AnyStateNode[] {
  return [
    node,
    ...Object.values(node.states as Record<string, AnyStateNode>).flatMap(listDiagramNodes),
  ]
}

function arrows(node: AnyStateNode): string[] {
  return listBranches(node).map((transition) => {
    const target = (transition.target?.[0] ?? node) as AnyStateNode
    const inner = Object.keys(node.states).length > 0 && below(target, node)
    const from =
      inner || node.parent === undefined ? `${toMermaidId(node)}__any` : toMermaidId(node)
    return `${from} --> ${target === node && inner ? from : toMermaidId(target)}: ${formatBranchLabel(transition)}`
  })
}

function formatBranchLabel({ eventType, guard, actions }: AnyTransitionDefinition): string {
  const done = actions.map(formatPartName)
  return clean(
    [
      shortEvent(eventType),
      ...(guard === undefined ? [] : [`[${formatPartName(guard)}]`]),
      ...(done.length === 0 ? [] : [`/ ${done.join(', ')}`]),
    ].join(' '),
  )
}
