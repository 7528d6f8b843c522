import type { BulkAction, BulkSelection } from '@jiaowu/api/contract/entity/bulk'
import { type EntityConfig, isDerived } from '@jiaowu/api/entity/config'
import type { BulkEditStep } from '@jiaowu/machines/bulk-edit/view'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { filterText } from '../transfer/filter-text.ts'
import { Pane } from '../transfer/pane.tsx'
import { ChooseFields } from './choose-fields.tsx'
import { ReviewStep } from './review-step.tsx'
import { ResultStep, RunStep } from './run-step.tsx'
import { useBulk } from './use-bulk.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'

export interface Props {
  readonly config: EntityConfig
  readonly action: BulkAction
  readonly selection: BulkSelection
  /** Number of selected rows in the list. */
  readonly count: number
  /** Id of a job that was started earlier; null: a new one. */
  readonly job: string | null
  readonly onClose: () => void
  readonly onChanged: () => void
}

const stages = ['choose', 'look', 'run', 'done'] as const

/** Bulk update or deletion of rows. The job goes on at the server when the drawer is closed. */
export function BulkDrawer({
  config,
  action,
  selection,
  count,
  job: resumed,
  onClose,
  onChanged,
}: Props) {
  const { t } = useText()
  const recompute = config.fields.some(isDerived)
  const bulk = useBulk({ tag: config.tag, action, selection, job: resumed, recompute }, onChanged)
  const { step, job } = bulk.view
  const isReviewing =
    job !== null && (step === 'reviewing' || step === 'confirming' || step === 'applying')
  const choosing = step === 'choosing' || (step === 'sending' && action === 'update')
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t(`bulk.title.${action}`, { name: config.name })}
      size=""
      className="jw-tr jw-tr--narrow jw-bulk"
      canOutsideClickClose={step === 'done' || step === 'failed'}
    >
      <Unsaved when={step === 'choosing' && Object.keys(bulk.view.set).length > 0} />
      <Steps step={step} action={action} />
      {resumed === null && step !== 'done' ? (
        <Scope config={config} selection={selection} count={count} />
      ) : null}
      <Pane step={isReviewing ? 'looking' : step}>
        {choosing ? (
          <ChooseFields config={config} bulk={bulk} onClose={onClose} />
        ) : isReviewing ? (
          <ReviewStep bulk={bulk} job={job} recycles={config.recycles === true} onClose={onClose} />
        ) : step === 'done' || step === 'failed' ? (
          <ResultStep bulk={bulk} onClose={onClose} />
        ) : (
          <RunStep bulk={bulk} />
        )}
      </Pane>
    </Drawer>
  )
}

/** Progress through the stages. A deletion has no fields to choose. */
function Steps({ step, action }: { readonly step: BulkEditStep; readonly action: BulkAction }) {
  const { t } = useText()
  const shown: readonly (typeof stages)[number][] =
    action === 'delete' ? stages.filter((name) => name !== 'choose') : stages
  const at = Math.max(0, shown.indexOf(resolveStage(step)))
  return (
    <ol className="jw-tr__steps" aria-label={t('bulk.steps')}>
      {shown.map((name, index) => (
        <li
          key={name}
          className={index < at ? 'is-past' : index === at ? 'is-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>{index + 1}</span>
          {t(`bulk.step.${name}`)}
        </li>
      ))}
    </ol>
  )
}

function resolveStage(step: BulkEditStep): (typeof stages)[number] {
  return step === 'choosing' || step === 'sending'
    ? 'choose'
    : step === 'done' || step === 'failed'
      ? 'done'
      : step === 'running' || step === 'cancelling'
        ? 'run'
        : 'look'
}

/** Describes the selected rows in words. */
function Scope({ config, selection, count }: Pick<Props, 'config' | 'selection' | 'count'>) {
  const { t, locale } = useText()
  const n = count.toLocaleString(locale)
  const filter = selection.queries === undefined ? '' : filterText(config, selection.queries)
  return (
    <p className="jw-bulk__scope">
      {selection.ids !== undefined
        ? t('bulk.scope.ids', { n })
        : filter === ''
          ? t('bulk.scope.filter', { n })
          : t('bulk.scope.filterOf', { n, filter })}
    </p>
  )
}
