import { Button, HTMLSelect, Tag } from '@blueprintjs/core'
import { Add, Reset, Undo } from '@blueprintjs/icons'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import {
  addTrialPerson,
  isPlayable,
  listTrialRows,
  listTrialTerms,
  playTrial,
  startTrial,
  toggleTrialTerm,
  type Trial,
  type TrialView,
} from '@jiaowu/machines/designer/flow/trial'
import { describeEffect } from '@jiaowu/machines/flow/words'
import { useEffect, useMemo, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { chooseName, describeTerm, nameStatePath } from './places.ts'
import type { FlowSources } from './use-flow-sources.ts'

const letters = ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸']

interface Props {
  readonly flow: Flow
  readonly sources: FlowSources
  /** Tells which states the case is in. */
  readonly onMove: (active: readonly string[]) => void
}

/** Plays a case as people of one's choice, with the machine that the server runs. */
export function FlowTrial(props: Props) {
  const { t } = useText()
  return isPlayable(props.flow) ? (
    <PlayedTrial {...props} />
  ) : (
    <p className="jw-dpanel__none jw-muted">{t('designer.flow.trial.broken')}</p>
  )
}

function PlayedTrial({ flow, sources, onMove }: Props) {
  const { t, locale } = useText()
  const [trial, setTrial] = useState(() => startTrial(flow))
  const played = useMemo(() => playTrial(flow, trial), [flow, trial])
  const { active, isDone } = played
  const at = active.join()
  useEffect(() => {
    onMove(at === '' ? [] : at.split(','))
    return () => onMove([])
  }, [at, onMove])
  // Moves that the flow or the people no longer allow are forgotten with the next one.
  const moves = trial.moves.slice(0, played.steps.length)
  return (
    <>
      <p className="jw-flow-trial__place" aria-live="polite">
        {t('designer.flow.trial.place')}{' '}
        <strong>{active.map((path) => nameStatePath(flow, path, locale)).join(' · ')}</strong>{' '}
        {isDone ? <Tag minimal>{t('designer.flow.final')}</Tag> : null}
      </p>
      <TrialOffers
        flow={flow}
        played={played}
        onMove={(by, type, no) => setTrial({ ...trial, moves: [...moves, { by, type, no }] })}
      />
      <TrialLog played={played} trial={trial} />
      <div className="jw-flow-editor__deeds">
        <Button
          icon={<Undo />}
          text={t('designer.flow.trial.back')}
          disabled={moves.length === 0}
          onClick={() => setTrial({ ...trial, moves: moves.slice(0, -1) })}
        />
        <Button
          icon={<Reset />}
          text={t('designer.flow.trial.again')}
          onClick={() => setTrial({ ...trial, moves: [] })}
        />
      </div>
      <TrialRow flow={flow} trial={trial} onChange={setTrial} />
      <TrialPeople flow={flow} sources={sources} trial={trial} onChange={setTrial} />
    </>
  )
}

function useLetter(): (at: number) => string {
  const { locale } = useText()
  return (at) =>
    locale === 'en' ? String.fromCodePoint(65 + (at % 26)) : (letters[at] ?? `#${String(at + 1)}`)
}

function TrialOffers({
  flow,
  played: { offers, timers, isDone },
  onMove,
}: {
  readonly flow: Flow
  readonly played: TrialView
  readonly onMove: (by: string | null, type: string, no: number) => void
}) {
  const { t, locale } = useText()
  const letter = useLetter()
  const isStuck =
    !isDone && timers.length === 0 && offers.every(({ offers: own }) => own.length === 0)
  return (
    <ul className="jw-flow-trial__offers" aria-label={t('designer.flow.trial.offers')}>
      {offers.map(({ by, offers: own }, at) =>
        own.length === 0 ? null : (
          <li key={by.id}>
            <strong>{letter(at)}</strong>
            {own.map(({ name, part, event }) => (
              <Button
                key={name}
                size="small"
                text={chooseName(locale, event.name)}
                title={nameStatePath(flow, part.path, locale)}
                aria-label={`${letter(at)} ${chooseName(locale, event.name)}${
                  part.path.includes('.') ? ` (${nameStatePath(flow, part.path, locale)})` : ''
                }`}
                onClick={() => onMove(by.id, part.type, part.no)}
              />
            ))}
          </li>
        ),
      )}
      {timers.map((part) => (
        <li key={part.type}>
          <strong>{t('flowPanel.timer')}</strong>
          <Button size="small" text={part.key} onClick={() => onMove(null, part.type, part.no)} />
        </li>
      ))}
      {isStuck ? <li>{t('designer.flow.trial.stuck')}</li> : null}
    </ul>
  )
}

function TrialLog({
  played: { steps },
  trial,
}: {
  readonly played: TrialView
  readonly trial: Trial
}) {
  const { t, locale } = useText()
  const letter = useLetter()
  const side = locale === 'en' ? 1 : 0
  return steps.length === 0 ? null : (
    <ol className="jw-flow-trial__log" aria-label={t('flowPanel.log')}>
      {steps.map(({ by, part, performs }, i) => (
        <li key={`${String(i)} ${part.type}`}>
          {by === null
            ? t('flowPanel.timer')
            : letter(trial.people.findIndex(({ id }) => id === by))}{' '}
          <strong>{part.event === null ? part.key : chooseName(locale, part.event.name)}</strong>
          {performs
            .flatMap(({ effects }) => effects)
            .map((effect) => (
              <code key={JSON.stringify(effect)}>{describeEffect(effect)[side]}</code>
            ))}
        </li>
      ))}
    </ol>
  )
}

/** Chooses among the rows that the conditions tell apart. */
function TrialRow({
  flow,
  trial,
  onChange,
}: {
  readonly flow: Flow
  readonly trial: Trial
  readonly onChange: (trial: Trial) => void
}) {
  const { t } = useText()
  const rows = useMemo(() => listTrialRows(flow), [flow])
  if (rows.length < 2) return null
  const texts = rows.map((row) => JSON.stringify(row))
  const chosen = JSON.stringify(trial.row)
  return (
    <HTMLSelect
      fill
      aria-label={t('designer.flow.trial.row')}
      value={chosen}
      onChange={(event) => {
        const row = rows[texts.indexOf(event.currentTarget.value)]
        if (row !== undefined) onChange({ ...trial, row })
      }}
    >
      {(texts.includes(chosen) ? texts : [chosen, ...texts]).map((text) => (
        <option key={text} value={text}>
          {t('designer.flow.trial.row')}: {text}
        </option>
      ))}
    </HTMLSelect>
  )
}

function TrialPeople({
  flow,
  sources,
  trial,
  onChange,
}: {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly trial: Trial
  readonly onChange: (trial: Trial) => void
}) {
  const { t } = useText()
  const letter = useLetter()
  const terms = useMemo(() => [...listTrialTerms(flow)], [flow])
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.trial.people')}</legend>
      {trial.people.map((person, at) => (
        <div key={person.id} className="jw-flow-trial__person" role="group" aria-label={letter(at)}>
          <strong>{letter(at)}</strong>
          {at === 0 ? <Tag minimal>{t('designer.flow.term.applicant')}</Tag> : null}
          {terms.map(([key, term]) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={person.terms.includes(key)}
                onChange={() => onChange(toggleTrialTerm(trial, person.id, key))}
              />
              {describeTerm(term, t, { roles: sources.roles, fields: sources.relations })}
            </label>
          ))}
        </div>
      ))}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.flow.trial.add')}
        onClick={() => onChange(addTrialPerson(trial))}
      />
    </fieldset>
  )
}
