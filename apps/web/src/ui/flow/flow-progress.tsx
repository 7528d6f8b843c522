import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { formatDuration, relativeTime, schoolInstant } from '@jiaowu/api/formats'
import { useText } from '../../app/text-context.ts'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'

interface Props {
  readonly flow: FlowStateAnswer
}

/** The state, since when, and the applicant. */
export function FlowPlace({ flow }: Props) {
  const { t } = useText()
  return (
    <div className="jw-flow__place">
      <span className="jw-tone">
        <span className={`jw-tone__dot is-${flow.tone ?? 'blue'}`} aria-hidden />
        <strong>{flow.name}</strong>
      </span>
      {flow.since === null ? null : (
        <span className="jw-muted">{t('flowPanel.since', { at: flow.since })}</span>
      )}
      {flow.applicant === null ? null : (
        <span className="jw-muted">{t('flowPanel.applicant', { name: flow.applicant.name })}</span>
      )}
    </div>
  )
}

/** The open states, side by side: the people that each waits for, its time and its events. */
export function FlowNow({ flow }: Props) {
  const { t } = useText()
  const places = flow.isDone ? [] : listPlaces(flow)
  if (places.length === 0) return null
  return (
    <ul className="jw-flow__now" aria-label={t('flowPanel.now')}>
      {places.map((path) => (
        <FlowWaiting key={path} flow={flow} path={path} />
      ))}
    </ul>
  )
}

/** The innermost states, and those around them that wait as well. */
function listPlaces({ active, open }: FlowStateAnswer): readonly string[] {
  return active
    .map(({ path }) => path)
    .filter(
      (path) =>
        !active.some((inner) => inner.path.startsWith(`${path}.`)) ||
        open.some((each) => each.path === path),
    )
}

function FlowWaiting({ flow, path }: Props & { readonly path: string }) {
  const { t, locale } = useText()
  const now = useTimeOfMount()
  const names = flow.active
    .filter((each) => each.path === path || path.startsWith(`${each.path}.`))
    .filter((each) => each.path !== flow.state)
  const next = flow.next.filter((each) => each.path === path)
  return (
    <li>
      {names.length === 0 ? null : <strong>{names.map(({ name }) => name).join(' · ')}</strong>}
      {flow.open
        .filter((each) => each.path === path)
        .map(({ who, since }) => (
          <span key={who}>
            {t('flowPanel.waitsFor', { who })}{' '}
            <time className="jw-muted" title={since}>
              {relativeTime(locale, schoolInstant(since), now)}
            </time>
          </span>
        ))}
      {next.map(({ event, to }) => (
        <span key={`${event} ${to ?? ''}`} className="jw-muted">
          {to === null ? event : `${event} → ${to}`}
        </span>
      ))}
    </li>
  )
}

/** The decisions: the person, the time, how long each took, and its note. */
export function FlowLog({ flow }: Props) {
  const { t, locale } = useText()
  if (flow.log.length === 0) return null
  return (
    <ol className="jw-flow__log" aria-label={t('flowPanel.log')}>
      {flow.log.map(({ at, by, for: principal, whom, name, note, seconds }, i) => (
        <li key={`${at} ${String(i)}`}>
          <time className="jw-muted">{at}</time>
          <span>
            {by?.name ?? t('flowPanel.timer')}
            {principal === undefined ? null : ` ${t('hand.for', { name: principal.name })}`}
          </span>
          <strong>{whom === undefined ? name : `${name} ${whom}`}</strong>
          <span className="jw-muted">
            {t('flowPanel.took', { time: formatDuration(locale, seconds) })}
          </span>
          {note === null ? null : <q>{note}</q>}
        </li>
      ))}
    </ol>
  )
}
