import { Button } from '@blueprintjs/core'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { problemDetail } from '@jiaowu/api/problem'
import { useText } from '../../app/text-context.ts'
import { Empty, Failed } from '../../ui/resource/page-state.tsx'
import { ImportButton, TemplateButton } from '../import/transfer-buttons.tsx'
import type { List } from './use-list.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
}

/**
 * Stands in the place of rows: nothing while they load, the failure, that nothing matches the
 * conditions, or that there are none yet.
 */
export function ListBlank({ list, config }: Props) {
  const { t, locale } = useText()
  const { view, actor } = list
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemDetail(locale, view.problem)}
        onRetry={() => actor.send({ type: 'list.refresh' })}
      />
    )
  if (view.blank === 'noHit')
    return (
      <Empty
        title={t('list.noHit')}
        action={
          <Button
            intent="primary"
            variant="outlined"
            text={t('list.clearConditions')}
            disabled={!view.can.clearConditions}
            onClick={() => actor.send({ type: 'conditions.clear' })}
          />
        }
      />
    )
  return view.blank === 'nothing' ? <Nothing list={list} config={config} /> : null
}

/** No row exists yet: the ways to make some. */
function Nothing({ list: { view, actor, forms }, config }: Props) {
  const { t } = useText()
  return (
    <Empty
      title={t('list.nothingYet', { name: config.name })}
      action={
        <span className="jw-blank__ways">
          {forms.add === null ? null : (
            <Button
              intent="primary"
              variant="outlined"
              text={t('common.add')}
              onClick={forms.add}
            />
          )}
          <ImportButton
            config={config}
            modes={view.may.importModes}
            onChanged={() => actor.send({ type: 'list.refresh' })}
          />
          <TemplateButton config={config} modes={view.may.importModes} />
        </span>
      }
    />
  )
}

/** A load failed while rows are shown: they stay, and this line says why they are old. */
export function StaleLine({ list: { view, actor } }: { readonly list: List }) {
  const { t, locale } = useText()
  return (
    <div className="jw-list-stale" role="alert">
      <span>
        {t('list.stale', {
          reason: view.problem === null ? '' : problemDetail(locale, view.problem),
        })}
      </span>
      <Button
        size="small"
        variant="outlined"
        intent="danger"
        text={t('common.retry')}
        onClick={() => actor.send({ type: 'list.refresh' })}
      />
    </div>
  )
}
