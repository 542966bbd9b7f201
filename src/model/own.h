/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own.h - what gpsnap's recorder is called in a database.
 */
#ifndef GS_MODEL_OWN_H
#define GS_MODEL_OWN_H

/* application_name of the recorder's sessions, by which views know them and leave
 * them out: nobody else may have it. */
#define OWN_APPLICATION "gpsnap"

#endif
