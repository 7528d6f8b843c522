import {
  Button,
  Checkbox,
  DialogBody,
  DialogFooter,
  InputGroup,
  ProgressBar,
  Tag,
} from '@blueprintjs/core'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import {
  type AdoptRow,
  type AdoptTablesView,
  adoptTablesView,
} from '@jiaowu/machines/adopt-tables/view'
import { adoptTablesActors, type AdoptTablesAsked } from '@jiaowu/machines/adopt-tables/ports'
import { adoptTablesApiPorts } from '@jiaowu/machines/adopt-tables/api-ports'
import { adoptTablesMachine } from '@jiaowu/machines/adopt-tables/machine'
import { matchesTableName } from '@jiaowu/machines/adopt-tables/match-table'
import { useEffect, useRef, useState } from 'react'
import { Search } from '@blueprintjs/icons'
import { useMachineActor } from '../../../fields/use-machine-actor.ts'
import { useView } from '../../../app/use-view.ts'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Failed } from '../../../ui/resource/page-state.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'
import { UnsavedInput } from '../../../ui/overlays/unsaved-input.tsx'

/** Rows of a long list that are drawn; the search finds the others. */
const shownAtOnce = 200
/** Tables that are brought in at once where there are many. */
const part = 500

interface Props {
  /** `left`: tables that are still without an entity. */
  readonly onClose: (isSaved: boolean, left: number) => void
  /** All tables by default. */
  readonly asked?: AdoptTablesAsked
}
type AdoptActor = ReturnType<typeof useAdopt>
interface PartProps {
  readonly actor: AdoptActor
  readonly view: AdoptTablesView
}

/**
 * Dialog that drafts definitions of all tables without an entity, with their keys, links and notes,
 * and saves those that stay ticked in one step.
 */
export function AdoptDatabase({ onClose, asked = {} }: Props) {
  const { t } = useText()
  const actor = useAdopt(onClose, asked)
  const view = useView(actor, adoptTablesView)
  const leave = () => actor.send({ type: 'adopt.leave' })
  return (
    <Dialog
      isOpen
      onClose={leave}
      isCloseButtonShown={view.can.leave}
      title={t('designs.adopt')}
      className="jw-adopt"
    >
      <DialogBody>
        <p className="jw-muted">{t('designs.adoptHint')}</p>
        <UnsavedInput>
          <Choosing actor={actor} view={view} />
        </UnsavedInput>
        {view.step === 'saving' ? (
          <Progress text={t('designs.adoptSaving', { n: view.chosen })} />
        ) : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <CancelButton disabled={!view.can.leave} onClick={leave} />
            <Button
              intent="primary"
              disabled={!view.can.save}
              text={t('designs.adoptSave', { n: view.chosen })}
              onClick={() => actor.send({ type: 'adopt.save' })}
            />
          </>
        }
      />
    </Dialog>
  )
}

function useAdopt(onClose: Props['onClose'], asked: AdoptTablesAsked) {
  const { t } = useText()
  const { api, reloadProfile } = useApi()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: adoptTablesMachine.provide({ actors: adoptTablesActors(adoptTablesApiPorts(api)) }),
    input: asked,
  }))
  const onAdopted = useRef<(n: number) => void>(() => {})
  const onLeft = useRef(() => {})
  useEffect(() => {
    onLeft.current = () => onClose(false, 0)
    onAdopted.current = (n) => {
      toast('success', t('designs.adopted', { n }))
      reloadProfile()
      const { rows, chosen, beyond } = adoptTablesView(actor.getSnapshot())
      onClose(true, rows.length - chosen + beyond)
    }
  })
  useEffect(() => {
    const told = [
      actor.on('adopted', ({ n }) => onAdopted.current(n)),
      actor.on('left', () => onLeft.current()),
    ]
    return () => {
      for (const each of told) each.unsubscribe()
    }
  }, [actor])
  return actor
}

function Choosing({ actor, view }: PartProps) {
  const { t, locale } = useText()
  if (view.step === 'drafting')
    return view.progress === null ? (
      <Progress text={t('designs.adoptListing')} />
    ) : (
      <Progress
        text={t('designs.adoptDrafting', view.progress)}
        value={view.progress.done / view.progress.total}
      />
    )
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => actor.send({ type: 'adopt.retry' })}
      />
    )
  if (view.rows.length === 0)
    return (
      <>
        <p className="jw-muted jw-tables__none">{t('designs.adoptNone')}</p>
        <Away view={view} />
      </>
    )
  return (
    <>
      <Schemas actor={actor} view={view} />
      <Question
        label={t('designs.adoptKeeps')}
        answer={view.keeps}
        isOpen={view.can.choose}
        onAnswer={(keeps) => actor.send({ type: 'kept.choose', keeps })}
      />
      <Question
        label={t('designs.adoptRelates')}
        answer={view.relates}
        isOpen={view.can.choose}
        onAnswer={(relates) => actor.send({ type: 'links.choose', relates })}
      />
      <Question
        label={t('designs.adoptOwns')}
        answer={view.owns}
        isOpen={view.can.choose}
        onAnswer={(owns) => actor.send({ type: 'school.choose', owns })}
      />
      <Question
        label={t('designs.adoptPasswords')}
        answer={view.writesPasswords}
        isOpen={view.can.choose}
        onAnswer={(writes) => actor.send({ type: 'passwords.choose', writes })}
      />
      <FoundTables actor={actor} view={view} />
      <Away view={view} />
      <Faults view={view} />
    </>
  )
}

interface QuestionProps {
  readonly label: string
  /** Null: nothing is asked. */
  readonly answer: boolean | null
  readonly isOpen: boolean
  readonly onAnswer: (isYes: boolean) => void
}

function Question({ label, answer, isOpen, onAnswer }: QuestionProps) {
  return answer === null ? null : (
    <Checkbox
      checked={answer}
      disabled={!isOpen}
      label={label}
      onChange={(event) => onAnswer(event.currentTarget.checked)}
    />
  )
}

/** Tables that have no draft, and those beyond the number that is saved at once. */
function Away({ view: { refused, beyond } }: Pick<PartProps, 'view'>) {
  const { t } = useText()
  return (
    <>
      {refused.map((each) => (
        <p key={each.table} className="jw-muted">
          {t('designs.adoptRefused', { ...each })}
        </p>
      ))}
      {beyond === 0 ? null : (
        <p className="jw-muted">
          {t('designs.adoptBeyond', { n: beyond, most: limits.adoptTables })}
        </p>
      )}
    </>
  )
}

function Faults({ view: { faults, problem } }: Pick<PartProps, 'view'>) {
  const { locale } = useText()
  if (problem === null) return null
  const texts = faults.length > 0 ? faults : [problemText(locale, problem)]
  return (
    <div role="alert">
      {texts.map((text) => (
        <p key={text} className="jw-fault">
          {text}
        </p>
      ))}
    </div>
  )
}

function Progress({ text, value }: { readonly text: string; readonly value?: number }) {
  return (
    <div role="status">
      <p>{text}</p>
      <ProgressBar intent="primary" aria-label={text} {...(value === undefined ? {} : { value })} />
    </div>
  )
}

function Schemas({ actor, view }: PartProps) {
  const { t } = useText()
  const schemas = Map.groupBy(view.rows, ({ schema }) => schema)
  return (
    <div role="group" aria-label={t('designs.adoptSchemas')} className="jw-adopt__schemas">
      {[...schemas].map(([schema, its]) => {
        const count = its.filter(({ isChosen }) => isChosen).length
        return (
          <Checkbox
            key={schema}
            inline
            checked={count === its.length}
            indeterminate={count > 0 && count < its.length}
            disabled={!view.can.choose}
            label={`${schema} (${count}/${its.length})`}
            onChange={(event) =>
              actor.send({
                type: 'table.choose',
                tags: its.map(({ tag }) => tag),
                isChosen: event.currentTarget.checked,
              })
            }
          />
        )
      })}
    </div>
  )
}

/** The tables that the search leaves, and acts on all of them. */
function FoundTables({ actor, view }: PartProps) {
  const { t } = useText()
  const [search, setSearch] = useState('')
  const found =
    search.trim() === ''
      ? view.rows
      : view.rows.filter(
          ({ table, name }) => matchesTableName(table, search) || matchesTableName(name, search),
        )
  const choose = (rows: readonly AdoptRow[], isChosen: boolean) =>
    actor.send({ type: 'table.choose', tags: rows.map(({ tag }) => tag), isChosen })
  return (
    <>
      {view.rows.length <= shownAtOnce / 4 ? null : (
        <div className="jw-adopt__find">
          <InputGroup
            type="search"
            leftElement={<Search className="bp6-icon" size={14} />}
            placeholder={t('designs.adoptSearch')}
            aria-label={t('designs.adoptSearch')}
            value={search}
            onValueChange={setSearch}
          />
          <Button
            disabled={!view.can.choose || found.length === 0}
            text={t('designs.adoptOnly', { n: found.length })}
            onClick={() => {
              choose(view.rows, false)
              choose(found, true)
            }}
          />
          <Button
            disabled={!view.can.choose || found.length === 0}
            text={t('designs.adoptWithout', { n: found.length })}
            onClick={() => choose(found, false)}
          />
          {found.length <= part ? null : (
            <Button
              disabled={!view.can.choose}
              text={t('designs.adoptFirst', { n: part })}
              onClick={() => {
                choose(view.rows, false)
                choose(found.slice(0, part), true)
              }}
            />
          )}
        </div>
      )}
      <Tables actor={actor} view={view} rows={found.slice(0, shownAtOnce)} />
      {found.length <= shownAtOnce ? null : (
        <p className="jw-muted">{t('designs.adoptShown', { n: shownAtOnce, all: found.length })}</p>
      )}
    </>
  )
}

function Tables({ actor, view, rows }: PartProps & { readonly rows: readonly AdoptRow[] }) {
  const { t } = useText()
  return (
    <div className="jw-table-wrap jw-adopt__tables">
      <table className="jw-table" aria-label={t('designs.adopt')}>
        <thead>
          <tr>
            <th>
              <span className="jw-only-read">{t('designs.adoptAll')}</span>
            </th>
            <th>{t('designs.table')}</th>
            <th>{t('designs.name')}</th>
            <th>{t('designs.adoptKey')}</th>
            <th className="is-right">{t('designs.adoptRows')}</th>
            <th className="is-right">{t('designs.adoptFields')}</th>
            <th className="is-right">{t('designs.adoptLinks')}</th>
            <th>{t('designs.adoptNotes')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.tag} actor={actor} row={row} isOpen={view.can.choose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly actor: AdoptActor
  readonly row: AdoptRow
  readonly isOpen: boolean
}

function TableRow({ actor, row, isOpen }: RowProps) {
  const { t, locale } = useText()
  const { tag, table, name, isChosen, rows, leftOut, notes } = row
  return (
    <tr>
      <td>
        <Checkbox
          checked={isChosen}
          disabled={!isOpen}
          aria-label={t('designs.adoptOne', { name: table })}
          onChange={(event) =>
            actor.send({
              type: 'table.choose',
              tags: [tag],
              isChosen: event.currentTarget.checked,
            })
          }
        />
      </td>
      <td>
        <code>{table}</code>{' '}
        {row.isReadOnly ? <Tag minimal>{t('designs.adoptReadOnly')}</Tag> : null}
      </td>
      <td>
        <InputGroup
          size="small"
          value={name}
          disabled={!isOpen || !isChosen}
          aria-label={t('designs.adoptName', { name: table })}
          onValueChange={(text) => actor.send({ type: 'table.rename', tag, name: text })}
        />
      </td>
      <td data-label={t('designs.adoptKey')}>{row.key.join(', ')}</td>
      <td className="is-right" data-label={t('designs.adoptRows')}>
        {rows === null ? t('designs.adoptUnknown') : rows.toLocaleString(locale)}
      </td>
      <td className="is-right" data-label={t('designs.adoptFields')}>
        {row.fields}
      </td>
      <td className="is-right" data-label={t('designs.adoptRelates')}>
        {row.links}
      </td>
      <td className="jw-adopt__notes">
        {[...leftOut.map((part) => t('designs.adoptLeftOut', { ...part })), ...notes].map(
          (note) => (
            <div key={note}>{note}</div>
          ),
        )}
      </td>
    </tr>
  )
}
