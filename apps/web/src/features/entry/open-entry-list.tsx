import { Button, ProgressBar } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

/** The sheets that wait for values; one click opens one. */
export function OpenEntryList({
  tag,
  fields,
  onOpen,
}: {
  readonly tag: string
  /** The fields whose values name a sheet. */
  readonly fields: readonly Field[]
  readonly onOpen: (by: Readonly<Record<string, string>>) => void
}) {
  const { t } = useText()
  const { api } = useApi()
  const page = useResource({
    query: tag,
    load: (_tag, signal) => api.entry.open({ params: { tag }, signal }),
  })
  const title = t('entry.unfinished')
  return (
    <ResourceBody of={page}>
      {({ sheets, more }) =>
        sheets.length === 0 ? (
          <p className="jw-entry__hint jw-muted">{t('entry.allDone')}</p>
        ) : (
          <div className="jw-entry__open">
            <h3>{title}</h3>
            <ul aria-label={title}>
              {sheets.map(({ by, total, entered }) => {
                const ids = Object.fromEntries(
                  fields.map(({ attrName }) => [attrName, by[attrName]?.[0]?.id ?? '']),
                )
                const names = fields.map(({ attrName }) => by[attrName]?.[0]?.name ?? '')
                return (
                  <li key={JSON.stringify(ids)}>
                    <Button
                      variant="minimal"
                      alignText="left"
                      text={names.join(' · ')}
                      onClick={() => onOpen(ids)}
                    />
                    {/* The same as the words beside it. */}
                    <span className="jw-entry__bar" aria-hidden>
                      <ProgressBar animate={false} stripes={false} value={entered / total} />
                    </span>
                    <span className="jw-muted">{t('entry.progress', { entered, total })}</span>
                  </li>
                )
              })}
            </ul>
            {more ? <p className="jw-muted">{t('entry.unfinishedMore', { n: 100 })}</p> : null}
          </div>
        )
      }
    </ResourceBody>
  )
}
