import { Tag } from '@blueprintjs/core'
import {
  durationPattern,
  type Flow,
  type FlowEvent,
  type FlowState,
} from '@jiaowu/api/entity/definition/flow'
import type { EventPlace } from '@jiaowu/machines/designer/flow/changes'
import { findState, listEvents, listStatePaths } from '@jiaowu/machines/designer/flow/states'
import { listParts } from '@jiaowu/machines/flow/parts'
import { Fragment, useMemo } from 'react'
import { useText } from '../../../app/text-context.ts'
import { AddEvent } from './add-event.tsx'
import { findEffectKind } from './effects-editor.tsx'
import { chooseName, describeWho, type FlowPlace, isSamePlace, nameStatePath } from './places.ts'
import type { FlowSources } from './use-flow-sources.ts'

interface Props {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly selected: FlowPlace | null
  /** Paths of the states on the path of the shown finding. */
  readonly lit: ReadonlySet<string>
  /** Paths of the states that the tried case is in. */
  readonly here: ReadonlySet<string>
  readonly onSelect: (place: FlowPlace) => void
  readonly onAddEvent: (path: string, key: string, event: FlowEvent) => void
}

/** States and their events: everything that the chart shows, as a table. */
export function FlowTable(props: Props) {
  const { flow } = props
  const { t } = useText()
  const targets = useMemo(
    () =>
      new Map(
        listParts(flow).events.map(({ path, key, no, target }) => [`${path}:${key}:${no}`, target]),
      ),
    [flow],
  )
  const paths = [...listStatePaths(flow), ...(flow.on === undefined ? [] : [''])]
  return (
    <table className="jw-flow-table" aria-label={t('designer.flow.table')}>
      <thead>
        <tr>
          {(['name', 'target', 'who', 'when', 'does'] as const).map((name) => (
            <th key={name} scope="col">
              {t(`designer.flow.col.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {paths.map((path) => (
          <Fragment key={path}>
            <StateRow {...props} path={path} />
            {listEvents(flow, path).flatMap(({ key, alternatives }) =>
              alternatives.map((event, no) => (
                <EventRow
                  key={`${key} ${String(no)}`}
                  {...props}
                  place={{ path, key, no }}
                  event={event}
                  alternatives={alternatives.length}
                  target={targets.get(`${path}:${key}:${String(no)}`) ?? null}
                />
              )),
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function StateRow({
  flow,
  sources,
  selected,
  lit,
  here,
  onSelect,
  onAddEvent,
  path,
}: Props & { readonly path: string }) {
  const { t, locale } = useText()
  const state = findState(flow, path)
  const name = state === undefined ? t('designer.flow.everywhere') : chooseName(locale, state.name)
  const isOn = isSamePlace(selected, { path })
  const open = (state?.edit ?? []).map(
    (attrName) => sources.openFields.find(({ value }) => value === attrName)?.text ?? attrName,
  )
  return (
    <tr
      className={`is-state${isOn ? ' is-on' : ''}${lit.has(path) ? ' is-lit' : ''}${here.has(path) ? ' is-here' : ''}`}
      data-state={path}
    >
      <th scope="rowgroup" colSpan={4}>
        <div className={`jw-flow-table__name is-depth-${String(path.split('.').length)}`}>
          <button type="button" aria-pressed={isOn} onClick={() => onSelect({ path })}>
            <span className={`jw-tone__dot is-${state?.tone ?? 'none'}`} aria-hidden />
            <span>{name}</span>
            {path === '' ? null : <code>{path.split('.').at(-1)}</code>}
          </button>
          <StateTags flow={flow} path={path} state={state} />
          {lit.has(path) ? (
            <Tag minimal intent="danger">
              {t('designer.flow.lit')}
            </Tag>
          ) : null}
          {here.has(path) ? (
            <Tag minimal intent="primary">
              {t('designer.flow.trial.here')}
            </Tag>
          ) : null}
          {state?.final === true ? null : (
            <AddEvent flow={flow} path={path} name={name} sources={sources} onAdd={onAddEvent} />
          )}
        </div>
      </th>
      <td data-label={t('designer.flow.editable')}>{open.join(', ')}</td>
    </tr>
  )
}

function StateTags({
  flow,
  path,
  state,
}: {
  readonly flow: Flow
  readonly path: string
  readonly state: FlowState | undefined
}) {
  const { t, locale } = useText()
  const outer = path.split('.').slice(0, -1).join('.')
  const initial = outer === '' ? flow.initial : findState(flow, outer)?.initial
  const tags = [
    path !== '' && initial === path.split('.').at(-1) && t('designer.flow.initial'),
    state?.final === true && t('designer.flow.final'),
    state?.type === 'parallel' && t('designer.flow.parallel'),
    ...listParts(flow).events.flatMap(({ event, path: at, key, target }) => {
      const [, count, unit] = at === path && event === null ? (durationPattern.exec(key) ?? []) : []
      return count === undefined || target === null
        ? []
        : [
            `${count} ${t(unit === 'h' ? 'designer.flow.timer.h' : 'designer.flow.timer.workdays')} → ${nameStatePath(flow, target, locale)}`,
          ]
    }),
  ]
  return (
    <>
      {tags.map((tag) =>
        tag === false ? null : (
          <Tag key={tag} minimal>
            {tag}
          </Tag>
        ),
      )}
    </>
  )
}

function EventRow({
  flow,
  sources,
  selected,
  onSelect,
  place,
  event,
  alternatives,
  target,
}: Props & {
  readonly place: EventPlace
  readonly event: FlowEvent
  readonly alternatives: number
  readonly target: string | null
}) {
  const { t, locale } = useText()
  const isOn = isSamePlace(selected, place)
  const does = [
    ...(event.note === undefined
      ? []
      : [`${t('designer.flow.note')}: ${t(`designer.flow.note.${event.note}`)}`]),
    ...((event.ask ?? []).length === 0
      ? []
      : [
          t('designer.flow.asks', {
            names: (event.ask ?? [])
              .map(
                ({ attrName }) =>
                  sources.openFields.find(({ value }) => value === attrName)?.text ?? attrName,
              )
              .join(', '),
          }),
        ]),
    ...(event.effects ?? []).map((effect) => {
      const kind = findEffectKind(effect)
      return kind === null ? '' : t(`designer.flow.effect.${kind}`)
    }),
  ]
  return (
    <tr className={isOn ? 'is-on' : ''} data-event={`${place.path}:${place.key}:${place.no}`}>
      <th scope="row">
        <div
          className={`jw-flow-table__name is-event is-depth-${String(place.path.split('.').length)}`}
        >
          <button type="button" aria-pressed={isOn} onClick={() => onSelect(place)}>
            <span>{chooseName(locale, event.name)}</span>
            <code>{place.key}</code>
          </button>
          {alternatives > 1 ? (
            <small className="jw-muted">
              {t('designer.flow.alternative', { n: place.no + 1 })}
            </small>
          ) : null}
        </div>
      </th>
      <td data-label={t('designer.flow.col.target')}>
        {event.target === undefined
          ? t('designer.flow.stays')
          : target === null
            ? event.target
            : nameStatePath(flow, target, locale)}
      </td>
      <td data-label={t('designer.flow.col.who')}>
        {describeWho(event, t, { roles: sources.roles, fields: sources.relations })}
      </td>
      <td data-label={t('designer.flow.col.when')}>
        {event.when === undefined ? null : <code>{event.when}</code>}
      </td>
      <td data-label={t('designer.flow.col.does')}>{does.join('; ')}</td>
    </tr>
  )
}
