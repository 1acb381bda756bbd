// Files, comments, notifications and the warning of duplicates, in Simplified Chinese.

export const files = {
  title: "文件",
  drop_one: "将文件拖到此处，或选择文件",
  drop_another: "将文件拖到此处，或选择文件进行替换",
  drop_many: "将文件拖到此处，或选择文件",
  choose: "向“{{name}}”添加文件",
  preview: "预览 {{name}}",
  download: "下载 {{name}}",
  remove: "移除 {{name}}",
  remove_attachment: "删除 {{name}}",
  removed: "已删除 {{name}}",
  restored: "已恢复 {{name}}",
  not_saved_yet: "未保存",
  sending: "已上传 {{percent}}",
  stop: "取消上传 {{name}}",
  empty: "{{name}} 为空",
  too_large: "{{name}} 超过 {{size}}",
  wrong_kind: "{{name}} 的文件类型不允许。允许的类型：{{kinds}}",
  choose_again: "请重新选择 {{name}}。页面重新加载后不会保留文件",
  none: "暂无文件",
  failed: "无法添加 {{name}}：{{reason}}",
};

export const comments = {
  earlier_answers_other: "{{count}} 条更早的回复",
  write: "写评论",
  placeholder: "添加评论，或用 @ 提及他人",
  send: "评论",
  answer: "回复",
  answer_to: "回复 {{name}}",
  edit: "编辑",
  delete: "删除",
  more: "{{name}} 的评论的操作",
  save: "保存",
  edited: "已编辑",
  gone: "此评论不可用",
  deleted: "评论已删除",
  restored: "评论已恢复",
  somebody: "某人",
  keys: "按 Ctrl+Enter 发送",
  people: "可以提及的人员",
};

export const bell = {
  title: "通知",
  open_other: "通知，{{count}} 条新通知",
  none: "没有新通知",
  none_lead: "提及您的内容和需要您处理的事项会显示在此处。",
  read_all: "全部标为已读",
  unread: "新",
};

export const duplicates = {
  title: "可能重复",
  lead: "以下记录的{{labels}}相同：",
  lead_plain: "与以下记录相似：",
  save: "仍然保存",
  back: "继续编辑",
  opens_apart: "在新标签页中打开",
};
