import { Button } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { useEffect, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { useReorder } from '../../../ui/drag/reorder.ts'
import { DictionaryItemForm } from './dictionary-item-form.tsx'
import { DictionaryItemRow, type ItemRights } from './dictionary-item-row.tsx'
import type { DictionaryItemsResource } from './use-dictionary-items.ts'

interface Props {
  readonly items: DictionaryItemsResource
  readonly rows: readonly Row[]
  readonly may: ItemRights
  /** Id of the row whose form is open; 'new' for a new item. */
  readonly editing: string | null
  readonly onEditing: (id: string | null) => void
}

/** The items of a dictionary in their own order, added, edited and reordered in place. */
export function DictionaryItems({ items, rows, may, editing, onEditing }: Props) {
  const { t } = useText()
  const { order, send, moved, held, list, grip } = useItemOrder(rows, (ids) =>
    items.start('order', ids),
  )
  const canOrder = may.update && order.length <= limits.treeSiblings && editing === null
  const cancel = () => {
    onEditing(null)
    items.dismiss('create')
    items.dismiss('save')
  }
  const nameOf = (code: unknown) => order.find((row) => row['itemCode'] === code)?.['name']
  return (
    <div className="jw-dict__items">
      {order.length === 0 && editing === null ? (
        <p className="jw-muted">{t('dictPage.noItems')}</p>
      ) : null}
      <ul ref={list} aria-label={t('dictPage.items')}>
        {order.map((row, index) =>
          editing === row.id ? (
            <DictionaryItemForm
              key={row.id}
              row={row}
              others={order.filter(({ id }) => id !== row.id)}
              isActing={items.acting === 'save'}
              problem={items.failureOf('save')}
              onCancel={cancel}
              onSave={(draft) =>
                items.start('save', { id: row.id, version: row['version'], draft })
              }
            />
          ) : (
            <DictionaryItemRow
              key={row.id}
              row={row}
              parentName={nameOf(row['pid'])}
              may={may}
              isHeld={held === index}
              move={
                canOrder
                  ? {
                      grip: grip(index),
                      up: index === 0 ? null : () => send(moved(index, index - 1)),
                      down: index === order.length - 1 ? null : () => send(moved(index, index + 1)),
                    }
                  : null
              }
              onSwitch={(on) =>
                items.start('switchOn', { id: row.id, version: row['version'], on })
              }
              onEdit={() => onEditing(row.id)}
              onRemove={() => items.start('remove', { id: row.id, name: String(row['name']) })}
            />
          ),
        )}
        {editing === 'new' ? (
          <DictionaryItemForm
            key={`new-${order.length}`}
            row={null}
            others={order}
            isActing={items.acting === 'create'}
            problem={items.failureOf('create')}
            onCancel={cancel}
            onSave={(draft) => items.start('create', { draft, sort: order.length + 1 })}
          />
        ) : null}
      </ul>
      {may.add && editing !== 'new' ? (
        <Button
          variant="minimal"
          intent="primary"
          icon={<Add />}
          text={t('dictPage.addItem')}
          onClick={() => onEditing('new')}
        />
      ) : null}
    </div>
  )
}

/**
 * The order on the screen, which runs ahead of the server's while a row is dragged or an order is
 * being saved.
 */
function useItemOrder(rows: readonly Row[], onOrder: (ids: readonly string[]) => void) {
  const [order, setOrder] = useState<readonly Row[]>(rows)
  useEffect(() => setOrder(rows), [rows])
  const moved = (from: number, to: number): readonly Row[] => {
    const row = order[from]
    return row === undefined ? order : order.toSpliced(from, 1).toSpliced(to, 0, row)
  }
  const send = (next: readonly Row[]) => {
    setOrder(next)
    onOrder(next.map(({ id }) => id))
  }
  // One call when the row is dropped, not one for every row it passes.
  const drag = useReorder(
    (from, to) => setOrder(moved(from, to)),
    (isDropped) => {
      if (isDropped) send(order)
    },
  )
  return { order, send, moved, ...drag }
}
