import type { Row, Values } from '@jiaowu/api/entity/values'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useApi } from '../../../app/api-context.ts'
import { onSavedElsewhere } from '../../../app/saved-signal.ts'
import { useText } from '../../../app/text-context.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { storedApplication } from '../../../ports/student-application.ts'
import './application.css'

export interface ApplicationFormProps {
  readonly tag: string
  /** Null: a new application. */
  readonly id: string | null
  readonly viewOnly: boolean
  readonly defaults: Values
  readonly onSaved: (row: Row) => void
  readonly onLeft: () => void
  /** Undefined: nothing may be changed now. */
  readonly onEdit: (() => void) | undefined
  /** Gets what was typed. */
  readonly onValues: (values: Values) => void
}
interface Props {
  readonly Form: ComponentType<ApplicationFormProps>
  readonly tag: string
  readonly id: string | null
  readonly isEdit: boolean
}

/** The form of a new application, or an application: its fields, files and flow. */
export function ApplicationSheet({ Form, tag, id, isEdit }: Props) {
  const { t, locale } = useText()
  const { user } = useApi()
  const navigate = useNavigate()
  const draft = storedApplication(user?.id ?? '', tag)
  const [defaults] = useState(() => (id === null ? draft.read() : {}))
  const details = (rowId: string) => `/application/${tag}/${encodeURIComponent(rowId)}`
  const { help, canEdit } = useApplication(tag, id)
  const onValues = useCallback(
    (values: Values) => storedApplication(user?.id ?? '', tag).write(values),
    [user?.id, tag],
  )
  return (
    <section className="jw-sheet jw-apply" aria-label={t('studentPage.application')}>
      <p className="jw-apply__back">
        <a href="#/application">{t('studentPage.backToApplications')}</a>
      </p>
      {id === null && help !== null ? <p>{help[locale === 'en' ? 'en' : 'zh']}</p> : null}
      {id !== null && !isEdit && canEdit ? (
        <p className="jw-apply__hint">{t('studentPage.applicationOpen')}</p>
      ) : null}
      <Form
        tag={tag}
        id={id}
        viewOnly={id !== null && !isEdit}
        defaults={defaults}
        onSaved={(row) => {
          if (id === null) draft.forget()
          void navigate(details(row.id), { replace: true })
        }}
        onLeft={() => {
          if (id === null) draft.forget()
          void navigate(isEdit && id !== null ? details(id) : '/application')
        }}
        onEdit={canEdit && id !== null ? () => void navigate(`${details(id)}/edit`) : undefined}
        onValues={onValues}
      />
    </section>
  )
}

/** The help of the kind, and whether the application is open to the student now. */
function useApplication(tag: string, id: string | null) {
  const { api } = useApi()
  const { data, reload } = useResource({
    query: { tag, id },
    load: async (_query, signal) => ({
      help:
        id === null
          ? ((await api.application.kinds({ signal })).find((kind) => kind.tag === tag)?.help ??
            null)
          : null,
      canEdit:
        id !== null && (await api.application.get({ params: { tag, id }, signal })).edit.length > 0,
    }),
  })
  useEffect(
    () =>
      onSavedElsewhere((saved) => {
        if (saved === tag) reload()
      }),
    [tag, reload],
  )
  return { help: data?.help ?? null, canEdit: data?.canEdit ?? false }
}
