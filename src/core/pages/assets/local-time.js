// A time that is chosen, in the zone of this browser: the server gets it with its offset.

const input = document.querySelector('input[type=datetime-local]');
const zone = document.querySelector('input[name=time_zone]');

const pad = (number) => String(number).padStart(2, '0');
const toLocal = (date) =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

if (input) {
  if (input.dataset.instant) input.value = toLocal(new Date(input.dataset.instant));
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.querySelector('.time-zone').textContent = zone.value;
}
