import { Button } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import {
  shownConditions,
  shownLeaves,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { withoutLeaf } from '@jiaowu/machines/entity-list/conditions/where'
import { useText } from '../../app/text-context.ts'
import type { List } from './use-list.ts'

interface Props {
  readonly list: Pick<List, 'view' | 'actor'>
  readonly config: EntityConfig
}

/** The applied conditions as one line of tags, each of which can be taken away. */
export function ListConditions({ list: { view, actor }, config }: Props) {
  const { t } = useText()
  if (!view.hasConditions) return null
  return (
    <div className="jw-conditions" role="region" aria-label={t('list.applied')}>
      <ConditionTags list={{ view, actor }} config={config} />
      <LeafTags list={{ view, actor }} config={config} />
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('list.clearConditions')}
        disabled={!view.can.clearConditions}
        onClick={() => actor.send({ type: 'conditions.clear' })}
      />
    </div>
  )
}

function ConditionTags({ list: { view, actor }, config }: Props) {
  const { t, locale } = useText()
  return shownConditions(config, view.applied, view.rows, locale).map(
    ({ attrName, label, text }) => (
      <Condition
        key={attrName}
        label={label}
        text={text}
        disabled={!view.can.clearConditions}
        removeLabel={t('list.removeCondition', { name: label })}
        onRemove={() => actor.send({ type: 'condition.remove', attrName })}
      />
    ),
  )
}

/** The conditions of groups, such as those of a column's menu. */
function LeafTags({ list: { view, actor }, config }: Props) {
  const { t, locale } = useText()
  const { where } = view
  if (where === null) return null
  return shownLeaves(config, where, view.rows, locale).map(({ path, label, text }) => (
    <Condition
      key={path.join()}
      label={label}
      text={text}
      disabled={!view.can.clearConditions}
      removeLabel={t('list.removeCondition', { name: `${label} ${text}` })}
      onRemove={() => actor.send({ type: 'where.apply', where: withoutLeaf(where, path) })}
    />
  ))
}

function Condition({
  label,
  text,
  disabled,
  removeLabel,
  onRemove,
}: {
  readonly label: string
  readonly text: string
  readonly disabled: boolean
  readonly removeLabel: string
  readonly onRemove: () => void
}) {
  return (
    <span className="jw-condition" title={`${label} ${text}`}>
      <span className="jw-condition__text">
        <span className="jw-condition__label">{label}</span> {text}
      </span>
      <button type="button" aria-label={removeLabel} disabled={disabled} onClick={onRemove}>
        <SmallCross size={14} />
      </button>
    </span>
  )
}
