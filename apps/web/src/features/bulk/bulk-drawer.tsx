import { Drawer } from '@blueprintjs/core'
import type { BulkAction, BulkSelection, EntityConfig } from '@jiaowu/api'
import type { BulkEditStep } from '@jiaowu/machines'
import { useApp } from '../../shell/context/app-context.tsx'
import { filterText } from '../import/filter-text.ts'
import { Pane } from '../import/pane.tsx'
import { ChooseFields } from './choose-fields.tsx'
import { LookStep } from './look-step.tsx'
import { OverStep, RunStep } from './run-step.tsx'
import { useBulk } from './use-bulk.ts'

interface Props {
  readonly config: EntityConfig
  readonly action: BulkAction
  readonly selection: BulkSelection
  /** How many rows are chosen, as the list has it. */
  readonly count: number
  /** A change that was begun before. */
  readonly job: string | null
  readonly onClose: () => void
  readonly onChanged: () => void
}

const stations = ['choose', 'look', 'run', 'done'] as const

/** Many rows changed or deleted at once, in a drawer: the machine behaves, this draws. Closing it leaves the job to the server. */
export function BulkDrawer({
  config,
  action,
  selection,
  count,
  job: begun,
  onClose,
  onChanged,
}: Props) {
  const { t } = useApp()
  const bulk = useBulk({ tag: config.tag, action, selection, job: begun }, onChanged)
  const { step, job } = bulk.view
  const looking =
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
      <Steps step={step} action={action} />
      {begun === null && step !== 'done' ? (
        <Scope config={config} selection={selection} count={count} />
      ) : null}
      <Pane step={looking ? 'looking' : step}>
        {choosing ? (
          <ChooseFields config={config} bulk={bulk} onClose={onClose} />
        ) : looking ? (
          <LookStep bulk={bulk} job={job} recycles={config.recycles === true} onClose={onClose} />
        ) : step === 'done' || step === 'failed' ? (
          <OverStep bulk={bulk} onClose={onClose} />
        ) : (
          <RunStep bulk={bulk} />
        )}
      </Pane>
    </Drawer>
  )
}

/** Where the change stands; a deletion has nothing to choose. */
function Steps({ step, action }: { readonly step: BulkEditStep; readonly action: BulkAction }) {
  const { t } = useApp()
  const shown: readonly (typeof stations)[number][] =
    action === 'delete' ? stations.filter((name) => name !== 'choose') : stations
  const at = Math.max(0, shown.indexOf(stationOf(step)))
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

function stationOf(step: BulkEditStep): (typeof stations)[number] {
  return step === 'choosing' || step === 'sending'
    ? 'choose'
    : step === 'done' || step === 'failed'
      ? 'done'
      : step === 'running' || step === 'cancelling'
        ? 'run'
        : 'look'
}

/** Which rows it is about, in words. */
function Scope({ config, selection, count }: Pick<Props, 'config' | 'selection' | 'count'>) {
  const { t, locale } = useApp()
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
