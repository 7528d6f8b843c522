import { Button } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api'
import { useApp } from '../../shell/context/app-context.tsx'
import { Empty, Failed } from '../../ui/page-state.tsx'
import type { List } from './use-list.ts'

/** Stands in the place of rows: nothing while they load, the failure, or that there are none. */
export function ListBlank({ list: { view, actor, forms } }: { readonly list: List }) {
  const { t, locale } = useApp()
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => actor.send({ type: 'list.refresh' })}
      />
    )
  if (view.step === 'loading') return null
  return (
    <Empty
      action={
        forms.add === null ? null : (
          <Button intent="primary" variant="outlined" text={t('common.add')} onClick={forms.add} />
        )
      }
    />
  )
}
