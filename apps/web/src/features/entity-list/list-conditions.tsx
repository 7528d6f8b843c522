import { Button } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api'
import { shownConditions } from '@jiaowu/machines'
import { useApp } from '../../shell/context/app-context.tsx'
import type { List } from './use-list.ts'

interface Props {
  readonly list: Pick<List, 'view' | 'actor'>
  readonly config: EntityConfig
}

/** The applied conditions as one line of tags, each of which can be taken away. */
export function ListConditions({ list: { view, actor }, config }: Props) {
  const { t } = useApp()
  if (!view.hasConditions) return null
  return (
    <div className="jw-conditions" role="region" aria-label={t('list.applied')}>
      <ConditionTags list={{ view, actor }} config={config} />
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
  const { t, locale } = useApp()
  return shownConditions(config, view.applied, view.rows, locale).map(
    ({ attrName, label, text }) => (
      <span key={attrName} className="jw-condition" title={`${label} ${text}`}>
        <span className="jw-condition__text">
          <span className="jw-condition__label">{label}</span> {text}
        </span>
        <button
          type="button"
          aria-label={t('list.removeCondition', { name: label })}
          disabled={!view.can.clearConditions}
          onClick={() => actor.send({ type: 'condition.remove', attrName })}
        >
          <SmallCross size={14} />
        </button>
      </span>
    ),
  )
}
