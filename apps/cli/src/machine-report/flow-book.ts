import type { Flow } from '@jiaowu/api/entity/definition/flow'
import type { Pair } from '@jiaowu/api/texts/group'
import { listActive } from '@jiaowu/machines/flow/flow'
import { joinPath, listParts, type EventPart, type FlowParts } from '@jiaowu/machines/flow/parts'
import { listFlowPaths, type FlowPath } from '@jiaowu/machines/flow/paths'
import { describeSteps } from '@jiaowu/machines/flow/words'
import type { BookMachine, BookPath, BookScreen, BookStep, Sentence } from './path-book.ts'

/** A definition with a flow, as the server and the shipped ones have it. */
export interface FlowDefinition {
  readonly tag: string
  readonly name: Sentence
  readonly flow: Flow
  /** Names of fields by their attrName; a field without one goes by that. */
  readonly fields?: Readonly<Record<string, Sentence>>
  /** Names of roles by their codes; a role without one goes by its code. */
  readonly roles?: Readonly<Record<string, Sentence>>
}

/** Roles that the shipped flows ask. */
const shippedRoles: Readonly<Record<string, Sentence>> = {
  ROLE_SECRETARY: { zh: '院系教学秘书', en: 'secretary of the faculty' },
  ROLE_DEAN: { zh: '院长', en: 'dean' },
  ROLE_REGISTRAR: { zh: '教务处', en: 'registrar' },
  ROLE_FINANCE: { zh: '财务处', en: 'finance' },
  ROLE_LIBRARY: { zh: '图书馆', en: 'library' },
  ROLE_DORMITORY: { zh: '宿舍管理', en: 'dormitories' },
}

/** The flow of a definition with recipes: every event, by everybody whom it asks. */
export function buildFlowMachine({
  tag,
  name,
  flow,
  roles = {},
  fields = {},
}: FlowDefinition): BookMachine {
  const parts = listParts(flow)
  const names = { ...shippedRoles, ...roles }
  return {
    id: tag,
    name: { zh: `流程：${name.zh}`, en: `Flow: ${name.en}` },
    place: {
      zh: `登录后打开“${name.zh}”；办理人在“待办”中找到这一件`,
      en: `Sign in and open “${name.en}”; those who decide find the case among their tasks`,
    },
    states: listFlowStates(parts),
    transitions: parts.events.map((part) => ({
      id: identify(part),
      from: part.path,
      to: part.target === null ? [] : [part.target],
      name: nameEvent(part),
    })),
    paths: listFlowPaths(flow).map((path, index) =>
      buildFlowRecipe({ tag, parts, names, fields }, path, index),
    ),
  }
}

function listFlowStates({ states }: FlowParts): BookMachine['states'] {
  return [...states.values()]
    .filter(({ path }) => path !== '')
    .map(({ path, key, state, isFinal }) => {
      const parent = path.split('.').slice(0, -1).join('.')
      const around = states.get(parent)
      return {
        id: path,
        parent: parent === '' ? null : parent,
        type: around?.isParallel === true ? 'region' : isFinal ? 'final' : 'atomic',
        initial: around?.children[0] === path || joinPath(parent, key) === around?.children[0],
        name: state?.name ?? { zh: key, en: key },
      }
    })
}

const identify = ({ type, no }: EventPart): string => `${type}[${String(no)}]`

function nameEvent({ event, key }: EventPart): Sentence {
  return event?.name ?? nameTimer(key)
}

/** `5 workdays` and `48 h`, as a flow writes its timers. */
function nameTimer(key: string): Sentence {
  const [, count = '', unit = ''] = /^(\d+)\s*(\w+)$/.exec(key) ?? []
  const units: Readonly<Record<string, Pair>> = {
    h: ['小时', 'hours'],
    min: ['分钟', 'minutes'],
    d: ['天', 'days'],
    days: ['天', 'days'],
    workdays: ['个工作日', 'workdays'],
  }
  const [zh, en] = units[unit] ?? [unit, unit]
  return { zh: `过 ${count} ${zh}`, en: `${count} ${en} pass` }
}

interface RecipeSource {
  readonly tag: string
  readonly parts: FlowParts
  readonly names: Readonly<Record<string, Sentence>>
  readonly fields: Readonly<Record<string, Sentence>>
}

/** The labels of a definition's fields. */
export function listFieldNames(
  fields: readonly {
    readonly attrName: string
    readonly uiLabel: string
    readonly options?: { readonly labelEn?: string | undefined } | undefined
  }[],
): Readonly<Record<string, Sentence>> {
  return Object.fromEntries(
    fields.map(({ attrName, uiLabel, options }) => [
      attrName,
      { zh: uiLabel, en: options?.labelEn ?? uiLabel },
    ]),
  )
}

function buildFlowRecipe(
  { tag, parts, names, fields }: RecipeSource,
  { row, moves }: FlowPath,
  index: number,
): BookPath {
  const words = describeSteps(moves)
  const [first] = moves
  const listGiven = (language: keyof Sentence) =>
    Object.entries(row)
      .map(([field, value]) => `${fields[field]?.[language] ?? field} = ${String(value)}`)
      .join(', ')
  const isGiven = Object.keys(row).length > 0
  return {
    id: `${tag}-${String(index + 1)}`,
    part: 'flow',
    surface: 'web',
    start: {
      zh: `新建一条并保存${isGiven ? `（${listGiven('zh')}）` : ''}`,
      en: `Add a row and save it${isGiven ? ` (${listGiven('en')})` : ''}`,
    },
    prepare: [],
    begin: readFlowScreen(parts, first?.before === undefined ? [] : listActive(first.before), []),
    steps: moves.map(({ part, after }, at): BookStep => {
      const { who, event } = words[at] ?? { who: ['', ''] as const, event: ['', ''] as const }
      return {
        ...readFlowScreen(parts, listActive(after), [identify(part)]),
        kind: part.event === null ? 'time' : 'person',
        do: nameRoles(sayMove(part, who, event), names),
        hurry: false,
        prepare: [],
      }
    }),
    again: '',
  }
}

function sayMove(part: EventPart, who: Pair, event: Pair): Sentence {
  if (part.event === null) {
    const { zh, en } = nameTimer(part.key)
    return { zh: `不办理，${zh}`, en: `Decide nothing: ${en}` }
  }
  const { note } = part.event
  return {
    zh: `${who[0]}打开这一件，按“${event[0]}”${note === 'required' ? '，填写意见' : ''}`,
    en: `${who[1]} opens the case and presses “${event[1]}”${note === 'required' ? ' with a note' : ''}`,
  }
}

function nameRoles({ zh, en }: Sentence, names: RecipeSource['names']): Sentence {
  const fill = (text: string, language: keyof Sentence) =>
    text.replaceAll(/\b[A-Z][A-Z0-9]*_\w+/g, (code) => names[code]?.[language] ?? code)
  return { zh: fill(zh, 'zh'), en: fill(en, 'en') }
}

function readFlowScreen(
  { states, events }: FlowParts,
  active: readonly string[],
  taken: readonly string[],
): BookScreen {
  const named = active.flatMap((path) => states.get(path)?.state?.name ?? [])
  return {
    see: named.map(({ zh, en }) => ({ zh: `状态：${zh}`, en: `State: ${en}` })),
    can: events.flatMap(({ path, event }) =>
      event !== null && active.includes(path) ? [{ zh: event.name.zh, en: event.name.en }] : [],
    ),
    states: [...active],
    taken: [...taken],
  }
}
