// Scripts and style sheets of the pages of projects.

import { addScript, addStylesheet, localTimeScript, lookupScript } from '../../core/pages/assets.ts';
import arrangeFilesJs from '../assets/arrange-files.js' with { type: 'text' };
import cabinetsCss from '../assets/cabinets.css' with { type: 'text' };
import codeCss from '../assets/code.css' with { type: 'text' };
import codeJs from '../assets/code.js' with { type: 'text' };
import editingCss from '../assets/editing.css' with { type: 'text' };
import enlargeJs from '../assets/enlarge.js' with { type: 'text' };
import filesCss from '../assets/files.css' with { type: 'text' };
import focusCss from '../assets/focus.css' with { type: 'text' };
import followChangesJs from '../assets/follow-changes.js' with { type: 'text' };
import listNeighboursJs from '../assets/list-neighbours.js' with { type: 'text' };
import mediaCss from '../assets/media.css' with { type: 'text' };
import modelCss from '../assets/model.css' with { type: 'text' };
import modelJs from '../assets/model.js' with { type: 'text' };
import modelReaderJs from '../assets/model-reader.js' with { type: 'text' };
import modelViewerJs from '../assets/model-viewer.js' with { type: 'text' };
import newCommentsJs from '../assets/new-comments.js' with { type: 'text' };
import newProjectsJs from '../assets/new-projects.js' with { type: 'text' };
import ownCardsCss from '../assets/own-cards.css' with { type: 'text' };
import projectCss from '../assets/project.css' with { type: 'text' };
import projectFormJs from '../assets/project-form.js' with { type: 'text' };
import shareJs from '../assets/share.js' with { type: 'text' };
import textPicturesJs from '../assets/text-pictures.js' with { type: 'text' };
import textTabsJs from '../assets/text-tabs.js' with { type: 'text' };
import textToolsJs from '../assets/text-tools.js' with { type: 'text' };
import uploadJs from '../assets/upload.js' with { type: 'text' };
import videoPlayerJs from '../assets/video-player.js' with { type: 'text' };

/** For texts, and for what stands beside the text of a project. */
export const projectStylesheet = addStylesheet([projectCss, mediaCss, codeCss, modelCss].join('\n'));
/** For lists with collections. */
export const cabinetStylesheet = addStylesheet(cabinetsCss);
export const editingStylesheet = addStylesheet(editingCss);
/** For pictures with a focus, which few have. */
export const focusStylesheet = addStylesheet(focusCss);
export const filesStylesheet = addStylesheet([filesCss, focusCss].join('\n'));
export const ownCardsStylesheet = addStylesheet(ownCardsCss);
export const arrangeFilesScript = addScript(arrangeFilesJs);
export const codeScript = addScript(codeJs);
export const enlargeScript = addScript(enlargeJs);
export const followChangesScript = addScript(followChangesJs);
export const listNeighboursScript = addScript(listNeighboursJs);
export const modelScript = addScript(modelJs);
export const modelReaderScript = addScript(modelReaderJs);
export const modelViewerScript = addScript(modelViewerJs);
export const newCommentsScript = addScript(newCommentsJs);
export const newProjectsScript = addScript(newProjectsJs);
const projectFormScript = addScript(projectFormJs);
export const shareScript = addScript(shareJs);
export const videoPlayerScript = addScript(videoPlayerJs);
const textPicturesScript = addScript(textPicturesJs);
const textTabsScript = addScript(textTabsJs);
export const textToolsScript = addScript(textToolsJs);
export const uploadScript = addScript(uploadJs);

// The form for a new project and for changing one.

export const formStylesheets = [editingStylesheet, filesStylesheet, projectStylesheet];

export const formScripts = (hasPictures: boolean, hasFiles: boolean) => [
  projectFormScript,
  localTimeScript,
  lookupScript,
  textToolsScript,
  textTabsScript,
  ...(hasPictures ? [textPicturesScript] : []),
  ...(hasFiles ? [uploadScript, arrangeFilesScript] : []),
];
