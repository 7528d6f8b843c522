import type { MachineWords } from './machine-words.ts'

export const resource = {
  name: ['管理页（以“学校”为例）', 'Pages of the administration (schools as the example)'],
  place: [
    '用平台管理员登录，打开学校管理页',
    'Sign in as the administrator of the platform, open the page of schools',
  ],
  starts: {
    reading: ['打开页面', 'The page is opened'],
    waiting: ['打开页面，尚未选择', 'The page is opened, nothing is chosen'],
  },
  states: {
    data: ['内容', 'the content'],
    'data.deciding': ['判断要读什么', 'deciding what to read'],
    'data.empty': ['还没有选择', 'nothing is chosen'],
    'data.read': ['读取', 'reading'],
    'data.read.loading': ['正在读取', 'the content is read'],
    'data.read.shown': ['内容已显示', 'the content is shown'],
    'data.read.failed': ['读取失败', 'the content could not be read'],
    action: ['操作', 'the action'],
    'action.idle': ['没有操作', 'no action'],
    'action.next': ['下一个操作', 'the next action'],
    'action.confirming': ['询问确认', 'asking for confirmation'],
    'action.acting': ['操作中', 'the action is done'],
  },
  events: {
    'resource.load': ['选择另一个对象', 'Choose another object'],
    'resource.reload': [
      '按“{common.refresh}”（失败时按“{common.retry}”）',
      'Press “{common.refresh}” (after a failure “{common.retry}”)',
    ],
    'action.start': ['按一行中的操作按钮', 'Press a button in a row'],
    'action.start(disable)': [
      '在第一所学校一行按“{tenant.disable}”',
      'Press “{tenant.disable}” in the row of the first school',
    ],
    'action.start(enable)': [
      '在第二所学校一行按“{tenant.enable}”',
      'Press “{tenant.enable}” in the row of the second school',
    ],
    'action.confirm': ['在询问中按“{tenant.disable}”', 'Press “{tenant.disable}” in the question'],
    'action.cancel': ['在询问中按“{common.cancel}”', 'Press “{common.cancel}” in the question'],
    'action.dismiss': ['关闭错误提示', 'Close the message'],
  },
  calls: { load: ['读取内容', 'reading the content'], act: ['执行操作', 'the action'] },
  endings: { 'load.tenants': ['成功', 'it succeeds'] },
} as const satisfies MachineWords
