import {
  Application,
  BankAccount,
  Book,
  Briefcase,
  Calendar,
  Chart,
  Code,
  Cog,
  Comparison,
  Confirm,
  Database,
  DiagramTree,
  Document,
  Endorsed,
  Envelope,
  GlobeNetwork,
  History,
  Inbox,
  Key,
  Learning,
  List,
  LogOut,
  Manual,
  Map,
  Menu,
  MobilePhone,
  Notifications,
  Office,
  Paperclip,
  People,
  Person,
  Properties,
  SendMessage,
  Shield,
  ShoppingCart,
  SwapHorizontal,
  Th,
  User,
  Wrench,
} from '@blueprintjs/icons'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ readonly size?: number }>
// Imported one by one, because all of Blueprint's icons take 200 KB.
const icons: Readonly<Record<string, Icon>> = {
  application: Application,
  'bank-account': BankAccount,
  book: Book,
  briefcase: Briefcase,
  calendar: Calendar,
  chart: Chart,
  code: Code,
  cog: Cog,
  comparison: Comparison,
  confirm: Confirm,
  'diagram-tree': DiagramTree,
  document: Document,
  envelope: Envelope,
  'globe-network': GlobeNetwork,
  history: History,
  inbox: Inbox,
  key: Key,
  learning: Learning,
  list: List,
  'log-out': LogOut,
  database: Database,
  endorsed: Endorsed,
  manual: Manual,
  map: Map,
  menu: Menu,
  'mobile-phone': MobilePhone,
  notifications: Notifications,
  office: Office,
  paperclip: Paperclip,
  people: People,
  person: Person,
  properties: Properties,
  'send-message': SendMessage,
  shield: Shield,
  'shopping-cart': ShoppingCart,
  'swap-horizontal': SwapHorizontal,
  user: User,
  th: Th,
  wrench: Wrench,
}

/** Names of icons that menu entries and buttons may use. */
export const menuIconNames: readonly string[] = Object.keys(icons).toSorted()

export function MenuIcon({
  name,
  size = 16,
}: {
  readonly name: string | null
  readonly size?: number
}) {
  const Found = icons[name ?? ''] ?? Document
  return <Found size={size} />
}
