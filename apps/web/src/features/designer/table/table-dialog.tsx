import { Button, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import type { TableAct, TableState } from '@jiaowu/api/entity/definition/table-change'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { OutcomeText, ProblemLines } from './outcome.tsx'
import { usePreview } from './use-preview.ts'

interface Props {
  readonly tag: string
  readonly state: TableState
  readonly fields: DesignerView['fields']
  readonly onClose: () => void
  /** `act`: what was done. */
  readonly onMade: (act: TableAct['act']) => void
}
interface PartProps extends Pick<Props, 'state'> {
  readonly disabled: boolean
  readonly onAsk: (act: TableAct) => void
}

/** Columns that may be archived, archived ones, and what was done with the table so far. */
export function TableDialog({ tag, state, fields, onClose, onMade }: Props) {
  const { t } = useText()
  const { api } = useApi()
  const { asked, problem, isBusy, ask, make, forget } = usePreview(
    (change: TableAct, preview) =>
      api.design.changeTable({ params: { tag }, body: { preview, change } }),
    (_outcome, { act }) => onMade(act),
  )
  const isGone = asked?.act.act === 'drop' || asked?.act.act === 'takeBack'
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('tableChange.title', { table: `${state.schema}.${state.table}` })}
      className="jw-table-dialog"
    >
      <DialogBody>
        <ProblemLines problem={problem} />
        {asked === null ? (
          <>
            <Columns state={state} fields={fields} disabled={isBusy} onAsk={ask} />
            <Archived state={state} disabled={isBusy} onAsk={ask} />
            <History state={state} disabled={isBusy} onAsk={ask} />
          </>
        ) : (
          <OutcomeText outcome={asked.outcome} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          asked === null ? (
            <Button text={t('common.close')} onClick={onClose} />
          ) : (
            <>
              <Button
                autoFocus={isGone}
                disabled={isBusy}
                text={t('tableChange.edit')}
                onClick={forget}
              />
              <Button
                autoFocus={!isGone}
                intent={isGone ? 'danger' : 'primary'}
                loading={isBusy}
                text={t(`tableChange.do.${asked.act.act}`)}
                onClick={() => make(confirmAct(asked.act, asked.outcome.lost))}
              />
            </>
          )
        }
      />
    </Dialog>
  )
}

/** The act with the number of values or rows that its preview told. */
function confirmAct(act: TableAct, lost: number | null): TableAct {
  if (act.act === 'drop') return { ...act, values: lost ?? 0 }
  return act.act === 'takeBack' ? { ...act, rows: lost ?? 0 } : act
}

function Columns({ state, fields, disabled, onAsk }: PartProps & Pick<Props, 'fields'>) {
  const { t } = useText()
  const shown = fields.filter(({ field }) => state.changeable.includes(field.columnName ?? ''))
  return (
    <section className="jw-table-part">
      <h4>{t('tableChange.columns')}</h4>
      {shown.length === 0 ? <p className="jw-muted">{t('tableChange.noColumns')}</p> : null}
      <ul>
        {shown.map(({ field: { columnName, uiLabel } }) => (
          <li key={columnName}>
            <span>
              {uiLabel} <code>{columnName}</code>
            </span>
            <Button
              size="small"
              disabled={disabled}
              text={t('tableChange.archive')}
              aria-label={t('tableChange.archiveOne', { label: uiLabel })}
              onClick={() => onAsk({ act: 'archive', column: columnName ?? '' })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Archived({ state, disabled, onAsk }: PartProps) {
  const { t, locale } = useText()
  if (state.archived.length === 0) return null
  return (
    <section className="jw-table-part">
      <h4>{t('tableChange.archived')}</h4>
      <ul>
        {state.archived.map(({ column, label, time, values }) => (
          <li key={column}>
            <span>
              {label} <code>{column}</code>{' '}
              <small className="jw-muted">
                {t('tableChange.archivedAt', { time, n: values.toLocaleString(locale) })}
              </small>
            </span>
            <Button
              size="small"
              disabled={disabled}
              text={t('tableChange.restore')}
              aria-label={t('tableChange.restoreOne', { label })}
              onClick={() => onAsk({ act: 'restore', column })}
            />
            <Button
              size="small"
              intent="danger"
              variant="minimal"
              disabled={disabled}
              text={t('tableChange.drop')}
              aria-label={t('tableChange.dropOne', { label })}
              onClick={() => onAsk({ act: 'drop', column })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function History({ state, disabled, onAsk }: PartProps) {
  const { t } = useText()
  return (
    <section className="jw-table-part">
      <h4>{t('tableChange.history')}</h4>
      {state.changes.length === 0 ? <p className="jw-muted">{t('tableChange.noHistory')}</p> : null}
      <ul>
        {state.changes.map(({ id, kind, columns, time, user, isUndone, canUndo, statements }) => (
          <li key={id}>
            <span title={statements}>
              {t(`tableChange.kind.${kind}`)} {columns.join('、')}{' '}
              <small className="jw-muted">
                {time} {user ?? ''}
              </small>{' '}
              {isUndone ? <Tag minimal>{t('tableChange.undone')}</Tag> : null}
            </span>
            {canUndo ? (
              <Button
                size="small"
                disabled={disabled}
                text={t('tableChange.undo')}
                aria-label={t('tableChange.undoOne', { columns: columns.join('、') })}
                onClick={() => onAsk({ act: 'undo', change: id })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {state.isMade ? (
        <Button
          intent="danger"
          variant="outlined"
          disabled={disabled}
          text={t('tableChange.takeBack')}
          onClick={() => onAsk({ act: 'takeBack' })}
        />
      ) : null}
    </section>
  )
}
