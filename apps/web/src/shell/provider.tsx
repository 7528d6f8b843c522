import { Alert } from '@blueprintjs/core'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { may } from '@jiaowu/api/entity/permission'
import { messageText, t as translate } from '@jiaowu/api/texts/index'
import type { UserInfo } from '@jiaowu/api/contract/session'
import type { TagsEvent } from '@jiaowu/machines/tags/machine'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Api } from '../app/api.ts'
import { saveFile } from '../ports/index.ts'
import { ApiContext, type Services } from '../app/api-context.ts'
import { NoticeContext, type Notices, type Question } from '../app/notice-context.ts'
import { TabContext, type Tabs } from '../app/tab-context.ts'
import { TextContext, type Texts } from '../app/text-context.ts'
import { useFocusReturn } from '../ui/overlays/layers.ts'
import { useSettings } from '../app/settings.ts'
import { Toaster, useToaster } from './toaster.tsx'

interface Props {
  readonly api: Api
  readonly user: UserInfo | null
  readonly permissions: readonly string[]
  readonly sendTags: (event: TagsEvent) => void
  readonly hasUnsaved: () => boolean
  readonly reloadProfile?: () => void
  readonly children: ReactNode
}
interface Asked extends Question {
  readonly answer: (yes: boolean) => void
}

const nothing = () => {}

export function AppProvider({
  api,
  user,
  permissions,
  sendTags,
  hasUnsaved,
  reloadProfile = nothing,
  children,
}: Props) {
  const { locale } = useSettings()
  const navigate = useNavigate()
  const { show, ...toaster } = useToaster()
  const { asked, confirm, end } = useQuestion()
  useFocusReturn(asked !== null)
  const texts = useTexts(locale)
  const services = useMemo(
    (): Services => ({
      api,
      user,
      permissions,
      reloadProfile,
      can: (code) => may(permissions, code),
      saveFile: (file, onProgress, signal) =>
        saveFile(file, translate(locale, 'attachment.zipName'), onProgress, signal),
    }),
    [api, locale, user, permissions, reloadProfile],
  )
  const notices = useMemo(
    (): Notices => ({
      confirm,
      toast: (tone, text, { lasting = false, action } = {}) => {
        show({
          message: text,
          intent: tone === 'info' ? 'primary' : tone,
          timeout:
            action !== undefined ? limits.undoToast : lasting ? limits.lastingToast : limits.toast,
          ...(action === undefined ? {} : { action }),
        })
      },
    }),
    [confirm, show],
  )
  const tabs = useMemo(
    (): Tabs => ({
      hasUnsaved,
      openTab: (path, title) => {
        sendTags({ type: 'tag.open', path, title })
        void navigate(path)
      },
      openDrawer: nothing, // WithDrawer replaces it in each view
      closeTab: (path) => sendTags({ type: 'tag.close', path, force: true }),
      moveTab: (path, to, options) => sendTags({ type: 'tag.move', path, to, ...options }),
      setTabTitle: (path, title) => sendTags({ type: 'tag.rename', path, title }),
    }),
    [navigate, sendTags, hasUnsaved],
  )
  return (
    <Contexts services={services} texts={texts} notices={notices} tabs={tabs}>
      {children}
      <Toaster {...toaster} />
      <Alert
        isOpen={asked !== null}
        intent={asked?.danger === true ? 'danger' : 'primary'}
        confirmButtonText={asked?.confirmText ?? texts.t('common.ok')}
        cancelButtonText={texts.t('common.cancel')}
        canEscapeKeyCancel
        onConfirm={() => end(true)}
        onCancel={() => end(false)}
        className="jw-alert"
      >
        {asked?.title === undefined ? null : <h4 className="jw-alert__title">{asked.title}</h4>}
        <p>{asked?.text}</p>
      </Alert>
    </Contexts>
  )
}

function useTexts(locale: Locale): Texts {
  return useMemo(
    () => ({
      locale,
      t: ((key: Parameters<typeof translate>[1], ...params: never[]) =>
        (translate as (...args: unknown[]) => string)(locale, key, ...params)) as Texts['t'],
      messageText: (message) =>
        typeof message === 'string' ? message : messageText(locale, message),
    }),
    [locale],
  )
}

interface ContextsProps {
  readonly services: Services
  readonly texts: Texts
  readonly notices: Notices
  readonly tabs: Tabs
  readonly children: ReactNode
}

function Contexts({ services, texts, notices, tabs, children }: ContextsProps) {
  return (
    <TextContext.Provider value={texts}>
      <ApiContext.Provider value={services}>
        <NoticeContext.Provider value={notices}>
          <TabContext.Provider value={tabs}>{children}</TabContext.Provider>
        </NoticeContext.Provider>
      </ApiContext.Provider>
    </TextContext.Provider>
  )
}

/**
 * Asks a question in an Alert and answers with a promise. Navigating away (the browser's back)
 * answers no.
 */
function useQuestion() {
  const { pathname, search } = useLocation()
  const [asked, setAsked] = useState<Asked | null>(null)
  const open = useRef<Asked | null>(null)
  const confirm = useCallback(
    (question: Question) =>
      new Promise<boolean>((answer) => {
        open.current = { ...question, answer }
        setAsked(open.current)
      }),
    [],
  )
  const end = useCallback((yes: boolean) => {
    open.current?.answer(yes)
    open.current = null
    setAsked(null)
  }, [])
  useEffect(() => () => end(false), [end, pathname, search])
  return { asked, confirm, end }
}
