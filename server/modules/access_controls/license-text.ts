// The license agreement that a new installation starts with: a text for the people who use the service, written for
// Dossier. Administrators publish their own version in its place.

export const licenseTitle = "Terms of use";

export const licenseText = `<h1>Terms of use</h1>
<p>These terms are an agreement between you and the organization that runs this installation of Dossier (“the operator”).
They say what you may expect of the service and what is expected of you. By accepting them you agree to them for yourself and,
if you sign up for an organization, on its behalf.</p>

<h2>1. The service</h2>
<p>Dossier keeps records: people, companies, leads and whatever else your organization decides to keep. Your organization's
administrators decide which records exist, who may see them and who may change them. The operator provides the service as it
stands, and may improve it, change it or interrupt it for maintenance; planned interruptions are announced where that is
possible.</p>

<h2>2. Your account</h2>
<ul>
<li>Your account is for you alone. Do not share your password, and do not let others work in your name.</li>
<li>Give true information about yourself and keep it up to date.</li>
<li>Tell an administrator without delay when you believe that somebody else has used your account.</li>
<li>API keys act in your name. Keep them as safe as your password, and revoke those that you no longer need.</li>
</ul>

<h2>3. What you put in</h2>
<p>What you and your organization put into the service remains yours. You give the operator only the permission that is needed
to run the service: to store the data, to show it to those whom your organization allows, to make backup copies and to remove it
when it is deleted for good. You are responsible for having the right to store what you store, in particular where it is about
other people.</p>

<h2>4. What is not allowed</h2>
<p>You may not use the service</p>
<ol>
<li>to break the law or the rights of others,</li>
<li>to reach data that you have not been given access to, or to test the limits of that access without written consent,</li>
<li>to send unsolicited messages,</li>
<li>in a way that disturbs its use by others, for example by an excessive number of requests.</li>
</ol>

<h2>5. Personal data</h2>
<p>The service keeps your name, your user name, how you can be reached, your settings, when and from where you logged in, and a
history of the changes that you made to records. Administrators of your organization can see these. Security events are kept in a
log that nobody can change. Your password is kept as a hash from which it cannot be read. You may ask your organization
which data about you it keeps, and ask it to correct or to erase what the law gives you a right to.</p>

<h2>6. Ending</h2>
<p>You may stop using the service at any time. An administrator can deactivate your account; the records that you own can then be
handed to somebody else in your organization. The operator may block an account that breaks these terms, after a warning
where one is reasonable.</p>

<h2>7. Liability</h2>
<p>The service is provided without warranty of any kind, as far as the law allows. The operator is liable for damage caused by
intent or gross negligence, and for nothing beyond what the law makes mandatory.</p>

<h2>8. Changes</h2>
<p>These terms carry a version number. When a new version matters to you, you are asked to accept it the next time you log in.
The version that you accepted is recorded, together with the moment at which you did so.</p>

<h2>9. The software</h2>
<p>The program itself is free software under the MIT license. These terms are about the use of this installation, not about
the program's source code.</p>
`;
