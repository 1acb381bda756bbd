// Texts of what is shown once, and of how a new user signs in, in Simplified Chinese.

export const once = {
  invitation_link: "邀请链接",
  invitation_link_lead: "此链接仅显示一次，7 天内有效。请只发送给被邀请的人：任何持有它的人都可以用它加入。",
  password_link: "设置密码的链接",
  password_link_lead: "此链接仅显示一次，7 天内有效。请只发送给该用户：任何持有它的人都可以设置密码并登录。",
  webhook_secret: "签名密钥",
  webhook_secret_lead: "此密钥仅显示一次。请保存在接收端可以读取的位置：它用于证明推送来自此处。",
  feed_address: "订阅地址",
  feed_address_lead:
    "此地址仅显示一次。请将其添加到您的日历、订阅阅读器或电子表格。任何持有它的人都可以读取该列表；删除订阅链接即可撤销。",
  secret: "密钥",
  link: "链接",
  copy_link: "复制链接",
};

export const new_user = {
  title: "该用户如何登录",
  by_mail: "我们会向 {{email}} 发送设置密码的链接。保存后，您也可以复制链接自行发送。",
  by_file: "未设置邮件服务器，因此 {{email}} 不会收到邮件。保存后，请复制链接并发送给该用户。",
  by_link: "没有邮箱地址就不会发送邀请。保存后，请复制链接并发送给该用户，或在下方添加邮箱地址。",
};
