import { Button } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { useFailureToast } from '../../../ui/use-failure-toast.ts'
import './application.css'

/** Lists the kinds of application that are open to the student, own applications, and documents that offices issued. */
export function ApplicationList() {
  const { t, locale } = useText()
  const { api, saveFile } = useApi()
  const tellFailure = useFailureToast()
  const page = useResource({
    query: { locale },
    load: async (_query, signal) => {
      const [kinds, list, papers] = await Promise.all([
        api.application.kinds({ signal }),
        api.application.list({ signal }),
        api.student.papers({ signal }),
      ])
      return { kinds, list, papers }
    },
    actions: {
      download: async (number: string) => saveFile(await api.student.paper({ query: { number } })),
    },
    onFailed: { download: tellFailure },
  })
  const side = locale === 'en' ? 'en' : 'zh'
  return (
    <ResourceBody of={page}>
      {({ kinds, list, papers }) => (
        <>
          <section className="jw-sheet jw-apply" aria-labelledby="application-kinds">
            <h2 id="application-kinds">{t('studentPage.applicationKinds')}</h2>
            {kinds.length === 0 ? <p role="status">{t('studentPage.noApplicationKinds')}</p> : null}
            <ul>
              {kinds.map(({ tag, title, help }) => (
                <li key={tag}>
                  <a href={`#/application/${tag}`}>
                    {t('studentPage.applyFor', { name: title[side] })}
                  </a>
                  {help === null ? null : <p>{help[side]}</p>}
                </li>
              ))}
            </ul>
          </section>
          <section
            className="jw-sheet jw-apply"
            aria-labelledby="application-own"
            aria-busy={page.isLoading}
          >
            <h2 id="application-own">{t('studentPage.applications')}</h2>
            {list.length === 0 ? <p role="status">{t('studentPage.noApplications')}</p> : null}
            <ul>
              {list.map(({ tag, id, kind, title, stateName, tone, since }) => (
                <li key={`${tag} ${id}`}>
                  <a href={`#/application/${tag}/${encodeURIComponent(id)}`}>
                    {kind[side]} · {title}
                  </a>
                  <p className="jw-apply__state">
                    <span className={`jw-tone__dot is-${tone ?? 'blue'}`} aria-hidden />
                    <strong>{stateName}</strong>
                    <time>{t('studentPage.applicationSince', { at: since.slice(0, 16) })}</time>
                  </p>
                </li>
              ))}
            </ul>
          </section>
          <PaperList
            papers={papers}
            isLoading={page.acting === 'download'}
            onOpen={(number) => page.start('download', number)}
          />
        </>
      )}
    </ResourceBody>
  )
}

interface PaperListProps {
  readonly papers: readonly {
    readonly number: string
    readonly name: string
    readonly issuedAt: string
  }[]
  readonly isLoading: boolean
  readonly onOpen: (number: string) => void
}

/** Documents that offices have issued about the student; nothing without any. */
function PaperList({ papers, isLoading, onOpen }: PaperListProps) {
  const { t } = useText()
  if (papers.length === 0) return null
  return (
    <section className="jw-sheet jw-apply" aria-labelledby="application-papers">
      <h2 id="application-papers">{t('studentPage.papers')}</h2>
      <ul>
        {papers.map(({ number, name, issuedAt }) => (
          <li key={number}>
            <Button
              variant="outlined"
              icon={<Document size={14} />}
              text={name}
              loading={isLoading}
              onClick={() => onOpen(number)}
            />
            <p>
              {number} · {issuedAt.slice(0, 16)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
