import { Button, HTMLSelect } from '@blueprintjs/core'
import {
  differencesBetween,
  type FieldChange,
  type HistoryEntry,
  type RowHistory,
  stateAt,
} from '@jiaowu/api/entity/definition/history'
import { resolveEditing, type EntityConfig } from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { HistoryChanges } from './history-changes.tsx'
import { earliest, listHistoryEntries } from './history-entries.ts'

interface Props {
  readonly config: EntityConfig
  readonly history: RowHistory
  readonly entry: HistoryEntry
  /** Null: the user may not restore. */
  readonly onRestore: ((changes: readonly FieldChange[]) => void) | null
}

/**
 * One change: what it did, how the record differed from another of its states, and the restore
 * button.
 */
export function HistoryEntryDetails({ config, history, entry, onRestore }: Props) {
  const { t } = useText()
  const restorable = restorableChanges(config, history, entry.id)
  return (
    <div className="jw-history__chosen">
      {entry.changes.length === 0 ? null : (
        <section>
          <h4>{t('history.changed')}</h4>
          <HistoryChanges
            config={config}
            changes={entry.changes}
            heads={[t('history.before'), t('history.after')]}
          />
        </section>
      )}
      <Comparison config={config} history={history} entry={entry} />
      {onRestore === null ? null : (
        <div>
          <Button
            intent="primary"
            variant="outlined"
            text={t('history.restore')}
            disabled={restorable.length === 0}
            onClick={() => onRestore(restorable)}
          />
        </div>
      )}
    </div>
  )
}

/** Fields that differ between the old state and the present record and that the user may change. */
function restorableChanges(
  config: EntityConfig,
  history: RowHistory,
  entryId: string,
): readonly FieldChange[] {
  return differencesBetween(
    history.row,
    stateAt(history, entryId),
    config.fields
      .filter(
        (field) => resolveEditing(field, 'edit') === 'editable' && !findKind(field.uiType).secret,
      )
      .map(({ attrName }) => attrName),
  )
}

function Comparison({ config, history, entry }: Omit<Props, 'onRestore'>) {
  const { t } = useText()
  const [other, setOther] = useState('')
  const against = other === '' ? history.row : stateAt(history, other)
  const otherHead =
    other === ''
      ? t('history.current')
      : (history.entries.find(({ id }) => id === other)?.at ?? t('history.earliest'))
  return (
    <section>
      <div className="jw-history__compare">
        <h4>{t('history.compareWith')}</h4>
        <HTMLSelect
          aria-label={t('history.compareWith')}
          value={other}
          onChange={(event) => setOther(event.currentTarget.value)}
        >
          <option value="">{t('history.current')}</option>
          {listHistoryEntries(history)
            .filter(({ id }) => id !== entry.id)
            .map(({ id, at, user }) => (
              <option key={id} value={id}>
                {id === earliest.id
                  ? t('history.earliest')
                  : `${at} ${user?.name ?? t('history.system')}`}
              </option>
            ))}
        </HTMLSelect>
      </div>
      <HistoryChanges
        config={config}
        changes={differencesBetween(
          stateAt(history, entry.id),
          against,
          config.fields.filter(({ uiType }) => holdsValue(uiType)).map(({ attrName }) => attrName),
        )}
        heads={[t('history.then'), otherHead]}
      />
    </section>
  )
}
