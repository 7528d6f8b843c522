// Places in a flow, and their parts in words of one language.
import type { Flow, FlowEvent, FlowName, FlowTerm } from '@jiaowu/api/entity/definition/flow'
import type { Locale } from '@jiaowu/api/locale'
import type { EventPlace } from '@jiaowu/machines/designer/flow/changes'
import { findState, listEvents, listStatePaths } from '@jiaowu/machines/designer/flow/states'
import { parsePeople } from '@jiaowu/machines/flow/people'
import type { Texts } from '../../../app/text-context.ts'
import type { Choice } from '../config/rows.ts'

/** A state (`` is the flow), or one of its events. */
export type FlowPlace =
  | { readonly path: string; readonly key?: undefined; readonly no?: undefined }
  | EventPlace

export type Translate = Texts['t']

export function chooseName(locale: Locale, { zh, en }: FlowName): string {
  return locale === 'en' ? en : zh
}

export function isSamePlace(a: FlowPlace | null, b: FlowPlace): boolean {
  return a !== null && a.path === b.path && a.key === b.key && a.no === b.no
}

/** Whether the flow still has the place. */
export function hasPlace(flow: Flow, place: FlowPlace): boolean {
  if (place.path !== '' && findState(flow, place.path) === undefined) return false
  return place.key === undefined || findEvent(flow, place) !== undefined
}

export function findEvent(flow: Flow, { path, key, no }: EventPlace): FlowEvent | undefined {
  return listEvents(flow, path).find((each) => each.key === key)?.alternatives[no]
}

/** The name of a state with those of the states around it: `会签 / 财务处`. */
export function nameStatePath(flow: Flow, path: string, locale: Locale): string {
  const keys = path.split('.')
  return keys
    .map((key, i) => {
      const state = findState(flow, keys.slice(0, i + 1).join('.'))
      return state === undefined ? key : chooseName(locale, state.name)
    })
    .join(' / ')
}

export function listStateChoices(flow: Flow, locale: Locale): readonly Choice[] {
  return listStatePaths(flow).map((path) => ({
    value: path,
    text: nameStatePath(flow, path, locale),
  }))
}

/**
 * The place that a finding names: `options.flow.states.review.on.APPROVE`. Timers and ends belong to their state.
 */
export function findPlace(at: string): FlowPlace {
  const keys = at.replace(/^options\.flow\.?/, '').split('.')
  const path: string[] = []
  let i = 0
  for (; keys[i] === 'states' && keys[i + 1] !== undefined; i += 2) path.push(keys[i + 1] ?? '')
  const [kind, key] = keys.slice(i)
  return kind === 'on' && key !== undefined
    ? { path: path.join('.'), key, no: 0 }
    : { path: path.join('.') }
}

/** The people of an event: `教务处、学院（院系）· 各一人 · 非本人`. */
export function describeWho(
  event: FlowEvent,
  t: Translate,
  names: { readonly roles: readonly Choice[]; readonly fields: readonly Choice[] },
): string {
  const people = parsePeople(event.who)
  if (people === null) return t('designer.flow.nobody')
  const { terms, need, others } = people
  return [
    terms.map((term) => describeTerm(term, t, names)).join(t('designer.flow.and')),
    ...(need === 'any'
      ? []
      : [need === 'all' ? t('designer.flow.need.all') : t('designer.flow.need.n', { n: need })]),
    ...(others ? [t('designer.flow.othersShort')] : []),
  ].join(' · ')
}

export function describeTerm(
  term: FlowTerm,
  t: Translate,
  { roles, fields }: { readonly roles: readonly Choice[]; readonly fields: readonly Choice[] },
): string {
  if ('applicant' in term) return t('designer.flow.term.applicant')
  if ('person' in term) return nameRead(term.person, fields)
  const role = roles.find(({ value }) => value === term.role)?.text ?? term.role
  return term.within === undefined ? role : `${role} (${nameRead(term.within, fields)})`
}

function nameRead(read: string, fields: readonly Choice[]): string {
  const name = read.slice('row.'.length)
  return fields.find(({ value }) => value === name)?.text ?? name
}
