import { Button, Switch } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, DragHandleVertical, Edit, Trash } from '@blueprintjs/icons'
import type { Row } from '@jiaowu/api/entity/values'
import type { PointerEvent } from 'react'
import { useText } from '../../../app/text-context.ts'

export interface ItemRights {
  readonly add: boolean
  readonly update: boolean
  readonly delete: boolean
}
interface Move {
  readonly grip: { readonly onPointerDown: (event: PointerEvent) => void }
  /** Null for the first row. */
  readonly up: (() => void) | null
  /** Null for the last row. */
  readonly down: (() => void) | null
}
interface Props {
  readonly row: Row
  readonly parentName: unknown
  readonly may: ItemRights
  /** The row is being dragged. */
  readonly isHeld: boolean
  /** Null: the order cannot be changed now. */
  readonly move: Move | null
  readonly onSwitch: (on: boolean) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

export function DictionaryItemRow({
  row,
  parentName,
  may,
  isHeld,
  move,
  onSwitch,
  onEdit,
  onRemove,
}: Props) {
  const { t } = useText()
  const name = String(row['name'])
  const isOn = row['status'] === '1'
  return (
    <li className={`jw-dict__item${isHeld ? ' is-held' : ''}${isOn ? '' : ' is-off'}`}>
      {move === null ? null : (
        <span className="jw-tree__grip" aria-hidden {...move.grip}>
          <DragHandleVertical />
        </span>
      )}
      <code>{String(row['itemCode'])}</code>
      <span className="jw-dict__name">
        {name}
        {parentName === undefined ? null : <small> ← {String(parentName)}</small>}
        <small>{String(row['nameEn'] ?? '')}</small>
      </span>
      <Switch
        className="jw-dict__switch"
        aria-label={`${t('dictPage.enabled')} ${name}`}
        checked={isOn}
        disabled={!may.update}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <span className="jw-dict__tools">
        {move === null ? null : <MoveButtons name={name} move={move} />}
        {may.update ? (
          <Button
            variant="minimal"
            size="small"
            icon={<Edit />}
            aria-label={t('dictPage.editItem', { name })}
            onClick={onEdit}
          />
        ) : null}
        {may.delete ? (
          <Button
            variant="minimal"
            size="small"
            intent="danger"
            icon={<Trash />}
            aria-label={t('dictPage.deleteItem', { name })}
            onClick={onRemove}
          />
        ) : null}
      </span>
    </li>
  )
}

function MoveButtons({ name, move: { up, down } }: { readonly name: string; readonly move: Move }) {
  const { t } = useText()
  return (
    <>
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowUp />}
        aria-label={t('dictPage.up', { name })}
        disabled={up === null}
        onClick={() => up?.()}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowDown />}
        aria-label={t('dictPage.down', { name })}
        disabled={down === null}
        onClick={() => down?.()}
      />
    </>
  )
}
