import { Button, HTMLSelect, Tag } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { type WatchedJob, watchedKinds, watchedStates } from '@jiaowu/api/contract/watched-job'
import { schoolTime } from '@jiaowu/api/formats'
import { useApi } from '../../app/api-context.ts'
import { type Texts, useText } from '../../app/text-context.ts'
import { type AdminColumn, AdminTable } from '../../ui/admin-table.tsx'
import { PageTurner } from '../../ui/page-turner.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

interface Query {
  readonly kind: WatchedJob['kind'] | ''
  readonly state: WatchedJob['state'] | ''
  readonly pageNum: number
}
const pageSize = 50
const first: Query = { kind: '', state: '', pageNum: 1 }
const tones = {
  queued: 'none',
  running: 'primary',
  paused: 'warning',
  done: 'success',
  failed: 'danger',
  cancelled: 'none',
} as const satisfies Record<WatchedJob['state'], string>

/** /jobs: every job of the school, whoever started it, and the tasks that wait or have failed. */
export function JobsPage() {
  const { t } = useText()
  const { api } = useApi()
  const page = useResource({
    query: first,
    load: ({ kind, state, pageNum }, signal) =>
      api.job.all({
        query: {
          ...(kind === '' ? {} : { kind }),
          ...(state === '' ? {} : { state }),
          pageNum,
          pageSize,
        },
        signal,
      }),
    actions: {},
    onDone: {},
  })
  const query = page.query ?? first
  return (
    <section className="jw-panel jw-refunds" aria-label={t('jobsPage.title')}>
      <div className="jw-toolbar">
        <Choice
          label={t('jobsPage.kind')}
          value={query.kind}
          values={watchedKinds}
          name={(kind) => t(`jobsPage.kind.${kind}`)}
          onChange={(kind) => page.show({ ...query, kind, pageNum: 1 })}
        />
        <Choice
          label={t('jobsPage.state')}
          value={query.state}
          values={watchedStates}
          name={(state) => t(`jobsPage.state.${state}`)}
          onChange={(state) => page.show({ ...query, state, pageNum: 1 })}
        />
        <span className="jw-toolbar__gap" />
        <Button
          variant="minimal"
          icon={<Refresh />}
          aria-label={t('common.refresh')}
          title={t('common.refresh')}
          onClick={page.reload}
        />
      </div>
      <ResourceBody of={page}>
        {({ records }) => (
          <AdminTable
            label={t('jobsPage.title')}
            columns={buildJobColumns(t)}
            rows={records}
            empty={t('jobsPage.none')}
          />
        )}
      </ResourceBody>
      <PageTurner
        label={t('jobsPage.total', { n: page.data?.total ?? 0 })}
        total={page.data?.total ?? 0}
        pageSize={pageSize}
        pageNum={query.pageNum}
        onGo={(pageNum) => page.show({ ...query, pageNum })}
      />
    </section>
  )
}

function Choice<Value extends string>({
  label,
  value,
  values,
  name,
  onChange,
}: {
  readonly label: string
  readonly value: Value | ''
  readonly values: readonly Value[]
  readonly name: (value: Value) => string
  readonly onChange: (value: Value | '') => void
}) {
  const { t } = useText()
  return (
    <HTMLSelect
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value | '')}
    >
      <option value="">{t('jobsPage.all', { label })}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {name(each)}
        </option>
      ))}
    </HTMLSelect>
  )
}

function buildJobColumns(t: Texts['t']): readonly AdminColumn<WatchedJob>[] {
  const time = (at: string | null) => (at === null ? '—' : schoolTime(at))
  return [
    { key: 'kind', header: t('jobsPage.kind'), cell: ({ kind }) => t(`jobsPage.kind.${kind}`) },
    {
      key: 'entity',
      header: t('jobsPage.entity'),
      cell: ({ entityName, tag }) => entityName ?? tag ?? '—',
    },
    { key: 'account', header: t('jobsPage.account'), cell: ({ account }) => account ?? '—' },
    {
      key: 'state',
      header: t('jobsPage.state'),
      cell: ({ state }) => (
        <Tag minimal intent={tones[state]}>
          {t(`jobsPage.state.${state}`)}
        </Tag>
      ),
    },
    {
      key: 'rows',
      header: t('jobsPage.rows'),
      align: 'right',
      cell: ({ done, total }) => (total === 0 ? '—' : `${done} / ${total}`),
    },
    {
      key: 'attempts',
      header: t('jobsPage.attempts'),
      align: 'right',
      cell: (job) => job.attempts,
    },
    {
      key: 'error',
      header: t('jobsPage.error'),
      title: ({ error }) => error ?? '',
      cell: ({ error }) => <span className="jw-cell jw-refund__reason">{error ?? '—'}</span>,
    },
    { key: 'at', header: t('jobsPage.at'), cell: ({ at }) => time(at) },
    { key: 'ended', header: t('jobsPage.ended'), cell: ({ endedAt }) => time(endedAt) },
    { key: 'trace', header: t('jobsPage.trace'), cell: ({ traceId }) => traceId ?? '—' },
  ]
}
