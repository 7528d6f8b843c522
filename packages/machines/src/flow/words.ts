// Steps, effects, states and events of a flow in words of both languages.
import type { FlowEffect } from '@jiaowu/api/entity/definition/flow'
import type { Pair } from '@jiaowu/api/texts/group'
import { applicantId, type FlowNode } from './explore.ts'
import { type FlowPathStep, toPair } from './fault.ts'
import type { CompiledFlow } from './flow.ts'
import { buildTermKey } from './people.ts'

const letters = ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸']

export function describeSteps(
  steps: readonly Pick<FlowNode, 'by' | 'part'>[],
): readonly FlowPathStep[] {
  const names = new Map([[applicantId, 0]])
  return steps.flatMap(({ by, part }): FlowPathStep[] => {
    if (part === null) return []
    if (by === null || part.event === null)
      return [{ who: ['时间', 'Time'], event: [part.key, part.key] }]
    const no = names.get(by.id) ?? names.size
    names.set(by.id, no)
    const letter: Pair = [letters[no] ?? `#${String(no)}`, String.fromCodePoint(65 + (no % 26))]
    const [term] =
      no === 0 && part.people?.terms.some((each) => 'applicant' in each) === true
        ? []
        : (part.people?.terms ?? [])
    const role =
      term === undefined || 'applicant' in term ? '' : 'role' in term ? term.role : term.person
    return [
      {
        who: role === '' ? letter : [`${letter[0]}（${role}）`, `${letter[1]} (${role})`],
        event: toPair(part.event.name),
      },
    ]
  })
}

export function describeEffect(effect: FlowEffect): Pair {
  const list = (sets: Readonly<Record<string, string>>) =>
    Object.entries(sets)
      .map(([name, source]) => `${name} = ${source}`)
      .join(', ')
  const words =
    'set' in effect
      ? list(effect.set)
      : 'update' in effect
        ? `${effect.update.relation}: ${list(effect.update.set)}`
        : 'create' in effect
          ? `${effect.create.tag}: ${list(effect.create.set)}`
          : 'document' in effect
            ? effect.document
            : 'notify' in effect
              ? effect.notify.template
              : effect.copy.who.map(buildTermKey).join(', ')
  return [words, words]
}

export function nameState({ parts }: CompiledFlow, path: string): Pair {
  const name = parts.states.get(path)?.state?.name
  return name === undefined ? [path === '' ? '*' : path, path === '' ? '*' : path] : toPair(name)
}

export function nameEvent({ parts }: CompiledFlow, path: string, key: string): Pair {
  const event = parts.events.find((part) => part.path === path && part.key === key)?.event
  return event === undefined || event === null ? [key, key] : toPair(event.name)
}
