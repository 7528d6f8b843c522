import type { MachineWords } from './machine-words.ts'

export const buttons = {
  name: ['表单里的自定义按钮', 'Custom buttons of a form'],
  place: [
    '打开一张带自定义按钮的表，点一行打开表单',
    'Open a row of a table that has custom buttons',
  ],
  starts: {
    form: ['在修改表单中', 'In the form that changes a row'],
    details: ['在详情中', 'In the details of a row'],
  },
  states: {
    ready: ['按钮可用', 'the buttons can be pressed'],
    'ready.idle': ['没有提示', 'at rest'],
    'ready.unloaded': ['按钮没有执行：取不到内容', 'the button could not start'],
    'ready.unsent': ['按钮的请求没有成功', 'the request of the button failed'],
    asking: ['询问确认', 'asking for confirmation'],
    pressing: ['执行中', 'working'],
    'pressing.starting': ['开始执行', 'starting'],
    'pressing.loading': ['读取按钮的内容', 'the actions of the button are loaded'],
    'pressing.acting': ['执行动作', 'its actions are done'],
    'pressing.requesting': ['正在请求服务器', 'the server is asked'],
    closed: ['表单关闭', 'the form is closed'],
  },
  events: {
    'button.press': ['按一个自定义按钮', 'Press a custom button'],
    'button.press(set)': ['按会填写一个字段的按钮', 'Press the button that sets a field'],
    'button.press(ask)': ['按要先确认的按钮', 'Press the button that asks first'],
    'button.press(tell)': ['按只显示消息的按钮', 'Press the button that shows a message'],
    'button.press(send)': ['按会提交数据的按钮', 'Press the button that sends data'],
    'button.press(sql)': [
      '按由服务器决定内容的按钮',
      'Press the button whose actions come from the server',
    ],
    'press.confirm': ['在询问中确认', 'Confirm in the question'],
    'press.cancel': ['在询问中按“{common.cancel}”', 'Press “{common.cancel}” in the question'],
    'press.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
    'press.dismiss': ['关闭错误提示（“{common.close}”）', 'Close the message (“{common.close}”)'],
    'buttons.close': ['关闭表单', 'Close the form'],
  },
  calls: {
    loadActions: ['读取按钮的内容', 'loading the actions of the button'],
    sendRequest: ['执行按钮的请求', 'the request of the button'],
  },
  endings: {
    'loadActions.message': ['成功，显示一条消息', 'it succeeds: a message is shown'],
    'loadActions.request': ['成功，接着提交数据', 'it succeeds: data are sent next'],
  },
} as const satisfies MachineWords
